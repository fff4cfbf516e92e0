/** Every error code of the API: its HTTP status, and whether the same request may succeed later. */
export const apiErrors = {
  VALIDATION_ERROR: { status: 400, retryable: false },
  INVALID_JSON: { status: 400, retryable: false },
  INVALID_URL: { status: 400, retryable: false },
  INVALID_CURSOR: { status: 400, retryable: false },
  WEBHOOK_NOT_CONFIGURED: { status: 400, retryable: false },
  UNAUTHORIZED: { status: 401, retryable: false },
  FORBIDDEN: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  JOB_NOT_CANCELLABLE: { status: 409, retryable: false },
  JOB_NOT_RETRYABLE: { status: 409, retryable: false },
  JOB_NOT_TERMINAL: { status: 409, retryable: false },
  STORAGE_PROVIDER_IN_USE: { status: 409, retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  IDEMPOTENCY_KEY_REUSED: { status: 422, retryable: false },
  LIMIT_EXCEEDED: { status: 429, retryable: true },
  INTERNAL_ERROR: { status: 500, retryable: true },
  UNAVAILABLE: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ApiErrorCode = keyof typeof apiErrors;

/**
 * One invalid field of a request: its JSON path, such as `input.url`, and what is wrong with it. For `LIMIT_EXCEEDED`, the
 * limit with its value and its use.
 */
export type ErrorDetail = { path: string; message: string; limit?: string; value?: number; use?: number };

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

/** Whether the same job may succeed later after an error of this code, unless the error itself overrides it. */
function isRetryable(code: JobErrorCode): boolean {
  return retryableCodes.has(code);
}

type AppErrorOptions = {
  details?: ErrorDetail[];
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/** A failure of a request whose caller may read its message. Any other error becomes `INTERNAL_ERROR` at the edge. */
export class AppError extends Error {
  readonly code: ApiErrorCode;
  readonly details: ErrorDetail[] | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    { details, retryAfterSeconds, cause }: AppErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A `VALIDATION_ERROR` for everything that is wrong with a request; its message names the first. */
export function invalidRequest(details: ErrorDetail[]): AppError {
  const [first] = details;
  const message = `The request is not valid. ${first?.path}: ${first?.message}`;
  return new AppError('VALIDATION_ERROR', message, { details });
}

type JobErrorOptions = {
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
};

/** A rejection or failure of a job, as its owner reads it: it becomes the job's `error` object. */
export class JobError extends Error {
  readonly code: JobErrorCode;
  readonly retryable: boolean;
  /** The time for which the host of a source asked for no further request. Undefined if it did not ask. */
  readonly retryAfterMs: number | undefined;

  constructor(code: JobErrorCode, message: string, options: JobErrorOptions = {}) {
    const { retryable = isRetryable(code), retryAfterMs, cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'JobError';
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Rejects an input that a recipe cannot process.
 * @throws JobError `INPUT_UNSUPPORTED`
 */
export function rejectInput(message: string): never {
  throw new JobError('INPUT_UNSUPPORTED', message);
}

/** Prefixes a job error's message with its subject, such as an input or a step. Returns any other error unchanged. */
export function prefixJobError(error: unknown, subject: string): unknown {
  if (!(error instanceof JobError)) return error;
  const { code, message, retryable, retryAfterMs } = error;
  return new JobError(code, `${subject}: ${message}`, { retryable, retryAfterMs, cause: error });
}
