/** One call to AWS, as the function that made it saw it. */
export type ObservedCall = {
  service: 'dynamodb' | 'sqs' | 's3' | 'sfn' | 'lambda';
  operation: string;
  /** Milliseconds of a clock that all processes of this machine share. */
  at: number;
  /** What was sent to DynamoDB. */
  input?: Record<string, unknown>;
};

const mark = 'seen-call ';

/** Says a call that is made now on the standard output of this process. */
export function writeCall(call: Omit<ObservedCall, 'at'>): void {
  const at = performance.timeOrigin + performance.now();
  process.stdout.write(`${mark}${JSON.stringify({ ...call, at })}\n`);
}

/** The call that a line of a function's output says; undefined where it says something else. */
export function readCall(line: string): ObservedCall | undefined {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as ObservedCall) : undefined;
}
