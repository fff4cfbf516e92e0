import * as z from 'zod';

export type MachineRun = {
  /** The context object, `$$`. */
  context: Record<string, unknown>;
  /** Aborts when the run is stopped or times out, or when its Map state fails. */
  signal: AbortSignal;
};

/** Executes a state: gets its input after `Parameters`, returns its result before `ResultSelector`. */
export type StateHandler = (input: unknown, run: MachineRun) => Promise<unknown>;

/** Parses the input of a state. @throws TaskError for an invalid one */
export function parseParameters<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new TaskError('States.Runtime', z.prettifyError(parsed.error));
  return parsed.data;
}

/** Errors that AWS neither retries nor catches, whatever the definition says. */
const finalErrors = new Set(['States.Runtime', 'States.DataLimitExceeded']);

/** A failed state. `Retry` and `Catch` match `name`; the message becomes the `Cause`. */
export class TaskError extends Error {
  // The interpreter package reads these two properties.
  readonly isRetryable: boolean;
  readonly isCatchable: boolean;

  constructor(name: string, cause: unknown) {
    super(typeof cause === 'string' ? cause : JSON.stringify(cause));
    this.name = name;
    this.isRetryable = !finalErrors.has(name);
    this.isCatchable = this.isRetryable;
  }
}
