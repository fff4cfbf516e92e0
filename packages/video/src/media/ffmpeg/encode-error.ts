import { JobError } from '../../errors.ts';
import type { RunRecord } from './ports.ts';

/** A failed run with its record for the job's log. */
export class EncodeError extends JobError {
  readonly runRecord: RunRecord;

  constructor(
    failure: Pick<JobError, 'code' | 'message' | 'retryable'>,
    runRecord: RunRecord,
    options: { cause?: unknown } = {},
  ) {
    super(failure.code, failure.message, { retryable: failure.retryable, ...options });
    this.name = 'EncodeError';
    this.runRecord = runRecord;
  }
}
