/** Every error code of the API: its HTTP status, and whether the same request may succeed later. */
export const apiErrors = {
  VALIDATION_ERROR: { status: 400, retryable: false },
  INVALID_JSON: { status: 400, retryable: false },
  INVALID_URL: { status: 400, retryable: false },
  INVALID_CURSOR: { status: 400, retryable: false },
  PRESET_NOT_FOUND: { status: 400, retryable: false },
  WEBHOOK_NOT_CONFIGURED: { status: 400, retryable: false },
  UNAUTHORIZED: { status: 401, retryable: false },
  FORBIDDEN: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  JOB_NOT_CANCELLABLE: { status: 409, retryable: false },
  JOB_NOT_RETRYABLE: { status: 409, retryable: false },
  JOB_NOT_TERMINAL: { status: 409, retryable: false },
  JOB_NOT_COMPLETED: { status: 409, retryable: false },
  JOB_NOT_PLAYABLE: { status: 409, retryable: false },
  JOB_FILES_EXPIRED: { status: 409, retryable: false },
  STORAGE_PROVIDER_IN_USE: { status: 409, retryable: false },
  STORAGE_PROVIDER_OF_STAGE: { status: 409, retryable: false },
  PRESET_EXISTS: { status: 409, retryable: false },
  PRESET_OF_STAGE: { status: 409, retryable: false },
  OWNER_BEING_ERASED: { status: 409, retryable: false },
  SECRET_ROTATED_RECENTLY: { status: 409, retryable: false },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  IDEMPOTENCY_KEY_REUSED: { status: 422, retryable: false },
  LIMIT_EXCEEDED: { status: 429, retryable: true },
  RATE_LIMITED: { status: 429, retryable: true },
  INTERNAL_ERROR: { status: 500, retryable: true },
  UNAVAILABLE: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ApiErrorCode = keyof typeof apiErrors;

/**
 * One invalid field of a request: its JSON path, such as `input.url`, and what is wrong with it. For `LIMIT_EXCEEDED`, the
 * limit with its value and its use.
 */
export type ErrorDetail = { path: string; message: string; limit?: string; value?: number; use?: number };

type AppErrorOptions = {
  details?: ErrorDetail[];
  retryAfterSeconds?: number | undefined;
  headers?: Record<string, string>;
  cause?: unknown;
};

/** A failure of a request whose caller may read its message. Any other error becomes `INTERNAL_ERROR` at the edge. */
export class AppError extends Error {
  readonly code: ApiErrorCode;
  readonly details: ErrorDetail[] | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** Further headers of the response, with lower-case names. */
  readonly headers: Record<string, string> | undefined;

  constructor(
    code: ApiErrorCode,
    message: string,
    { details, retryAfterSeconds, headers, cause }: AppErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.headers = headers;
  }
}

/** A `VALIDATION_ERROR` for everything that is wrong with a request; its message names the first. */
export function invalidRequest(details: ErrorDetail[]): AppError {
  const [first] = details;
  const message = `The request is not valid. ${first?.path}: ${first?.message}`;
  return new AppError('VALIDATION_ERROR', message, { details });
}
