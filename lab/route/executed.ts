/** A source file of which an invocation executed functions, and how many. */
export type Executed = { path: string; functions: number };

const mark = 'executed ';

/** Writes what an invocation executed to the standard output of this process. */
export function writeExecuted(executed: readonly Executed[]): void {
  process.stdout.write(`${mark}${JSON.stringify(executed)}\n`);
}

/** Parses the executed files of an invocation from a line of a function's output; undefined for any other line. */
export function readExecuted(line: string): Executed[] | undefined {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as Executed[]) : undefined;
}
