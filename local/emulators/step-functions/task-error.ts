/** AWS neither tries such a failure again nor catches it, whatever a definition says. */
const final = new Set(['States.Runtime', 'States.DataLimitExceeded']);

/** A task that failed; `name` is what `Retry` and `Catch` match, the message becomes the `Cause`. */
export class TaskError extends Error {
  // The interpreter asks for these by name.
  readonly isRetryable: boolean;
  readonly isCatchable: boolean;

  constructor(name: string, cause: unknown) {
    super(typeof cause === 'string' ? cause : JSON.stringify(cause));
    this.name = name;
    this.isRetryable = !final.has(name);
    this.isCatchable = this.isRetryable;
  }
}
