/** An AWS call, observed in the function that made it. */
export type ObservedCall = {
  service: 'dynamodb' | 'sqs' | 's3' | 'sfn' | 'events' | 'lambda' | 'sts';
  operation: string;
  /** Milliseconds of a clock shared by all processes of this machine. */
  at: number;
  /** The input of a DynamoDB call. */
  input?: Record<string, unknown>;
};

const mark = 'observed-call ';

/** Writes a call to the standard output of this process. */
export function writeCall(call: Omit<ObservedCall, 'at'>): void {
  const at = performance.timeOrigin + performance.now();
  process.stdout.write(`${mark}${JSON.stringify({ ...call, at })}\n`);
}

/** Parses a call from a line of a function's output; undefined for any other line. */
export function readCall(line: string): ObservedCall | undefined {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as ObservedCall) : undefined;
}
