import { JobError } from '../../core/errors.ts';

/** Whether an error says that the same work would end in the same way again; any other is worth another try. */
export function isPermanentFailure(cause: unknown): cause is JobError {
  return cause instanceof JobError && !cause.retryable;
}
