/**
 * The one table of errors a caller of the API can meet: code -> HTTP status, and whether the same request
 * may succeed later. Documented per route in OpenAPI.
 */
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
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  IDEMPOTENCY_KEY_REUSED: { status: 422, retryable: false },
  INTERNAL_ERROR: { status: 500, retryable: true },
  UNAVAILABLE: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ApiErrorCode = keyof typeof apiErrors;

/** One thing that is wrong with a request: where (a JSON path such as `input.url`), and what. */
export type ErrorDetail = { path: string; message: string };

/** Why an input was refused or a job failed; the codes of a job's `error` object. */
export const jobErrorCodes = [
  'INPUT_UNREACHABLE',
  'INPUT_FORBIDDEN',
  'INPUT_NOT_MEDIA',
  'INPUT_TOO_LARGE',
  'INPUT_TOO_LONG',
  'INPUT_UNSUPPORTED',
  'TRANSCODE_ERROR',
  'UPLOAD_ERROR',
  'TIMEOUT',
  'WORKER_LOST',
  'INTERNAL_ERROR',
] as const;

export type JobErrorCode = (typeof jobErrorCodes)[number];

/** A failure of a request that its caller can be told about. Any other error is an `INTERNAL_ERROR` at the edge. */
export class AppError extends Error {
  readonly code: ApiErrorCode;
  readonly details: ErrorDetail[] | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    options: { details?: ErrorDetail[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
  }
}

/** The refusal of a request for what is wrong with it, the first of which its message tells. */
export function invalidRequest(details: ErrorDetail[]): AppError {
  const [first] = details;
  const message = `The request is not valid. ${first?.path}: ${first?.message}`;
  return new AppError('VALIDATION_ERROR', message, { details });
}

/** A refusal or failure of a job that its owner can be told about: it becomes the job's `error` object. */
export class JobError extends Error {
  readonly code: JobErrorCode;
  readonly retryable: boolean;

  constructor(code: JobErrorCode, message: string, options: { retryable: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'JobError';
    this.code = code;
    this.retryable = options.retryable;
  }
}
