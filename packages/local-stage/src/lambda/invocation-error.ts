/** Errors of Lambda's own, before the function runs (Lambda API Reference, Invoke). */
export type InvocationErrorCode =
  | 'CodeArtifactUserPendingException'
  | 'RecursiveInvocationException'
  | 'RequestTooLargeException'
  | 'TooManyRequestsException';

/** Lambda has not run the function. */
export class InvocationError extends Error {
  override readonly name: InvocationErrorCode;

  constructor(code: InvocationErrorCode, message: string) {
    super(message);
    this.name = code;
  }
}

const permanent: readonly InvocationErrorCode[] = ['RecursiveInvocationException', 'RequestTooLargeException'];

/** Whether Lambda's pollers and its queue of asynchronous invocations try again. */
export function isTransient(error: unknown): boolean {
  return error instanceof InvocationError && !permanent.includes(error.name);
}
