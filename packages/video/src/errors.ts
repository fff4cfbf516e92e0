/** Codes of a job's `error` object: why its input was rejected, or why it failed. */
export const jobErrorCodes = [
  'INPUT_UNREACHABLE',
  'INPUT_FORBIDDEN',
  'INPUT_NOT_MEDIA',
  'INPUT_TOO_LARGE',
  'INPUT_TOO_LONG',
  'INPUT_UNSUPPORTED',
  'INPUT_DAMAGED',
  'COST_LIMIT',
  'TRANSCODE_ERROR',
  'UPLOAD_ERROR',
  'TIMEOUT',
  'WORKER_LOST',
  'INTERNAL_ERROR',
] as const;

export type JobErrorCode = (typeof jobErrorCodes)[number];

const retryableCodes: ReadonlySet<JobErrorCode> = new Set([
  'INPUT_UNREACHABLE',
  'UPLOAD_ERROR',
  'WORKER_LOST',
  'INTERNAL_ERROR',
]);

type JobErrorOptions = {
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  output?: string | undefined;
  cause?: unknown;
};

/** A rejection or failure of a job, as its owner reads it: it becomes the job's `error` object. */
export class JobError extends Error {
  readonly code: JobErrorCode;
  readonly retryable: boolean;
  /** The time for which the host of a source asked for no further request. Undefined if it did not ask. */
  readonly retryAfterMs: number | undefined;
  /** The output of a job of several that it is about. */
  readonly output: string | undefined;

  constructor(code: JobErrorCode, message: string, options: JobErrorOptions = {}) {
    const { retryable = retryableCodes.has(code), retryAfterMs, output, cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'JobError';
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.output = output;
  }
}

/** Rejects an input that a recipe cannot process. @throws JobError `INPUT_UNSUPPORTED` */
export function rejectInput(message: string): never {
  throw new JobError('INPUT_UNSUPPORTED', message);
}

/** Prefixes a job error's message with its subject, such as an input or a step. Returns any other error unchanged. */
export function prefixJobError(error: unknown, subject: string): unknown {
  if (!(error instanceof JobError)) return error;
  return new JobError(error.code, `${subject}: ${error.message}`, { ...error, cause: error });
}

/** What a function returns; a job error of it gets its subject in front. */
export function withSubject<Result>(subject: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    throw prefixJobError(cause, subject);
  }
}

/** A job error that names its output. The limit of the cost is that of the whole job. Returns any other error unchanged. */
export function addOutputToError(error: unknown, output: string): unknown {
  if (!(error instanceof JobError) || error.code === 'COST_LIMIT') return error;
  return new JobError(error.code, error.message, { ...error, output, cause: error });
}

/** A retry does not help: every function has the maximum that Lambda offers. */
export const diskFullMessage =
  "The job does not fit on the worker's disk: the inputs and everything made from them need more than it has, which is 10 GB for a Lambda function. Use smaller inputs, or request smaller or fewer outputs; the service's operator can set fargate, or raise fargate.storageGb.";

/** Converts `ENOSPC` to a JobError; returns any other error unchanged. */
export function toDiskFullError(error: unknown): unknown {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  return isFull ? new JobError('INPUT_TOO_LARGE', diskFullMessage, { cause: error }) : error;
}

/** Whether a job failed because the disk of its worker was full. Messages may have the file or the step in front. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof JobError && (error.message === diskFullMessage || isDiskFull(error.cause));
}
