import type { ErrorBody } from '../core/api/error-body.ts';

type Failure = {
  /** The HTTP status; 0 without a response. */
  status: number;
  /** A code of the API, `UNREACHABLE` without a response, or `HTTP_<status>` for a response that is not the API's. */
  code: string;
  message: string;
  retryable: boolean;
  requestId?: string | undefined;
  details?: ErrorBody['error']['details'];
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
};

/** A failed request. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly details: ErrorBody['error']['details'];
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.retryable = failure.retryable;
    this.requestId = failure.requestId;
    this.details = failure.details;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}

/** The error of a failed response, in the API's shape or that of the gateway in front of it. */
export function apiErrorFromResponse({ status, headers }: Response, body: unknown): ApiError {
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  if (isErrorBody(body)) return new ApiError({ ...body.error, status, retryAfterSeconds });
  return new ApiError({
    status,
    code: `HTTP_${status}`,
    message: `The API answered ${status}.`,
    retryable: status === 429 || status >= 500,
    requestId: headers.get('apigw-requestid') ?? undefined,
    retryAfterSeconds,
  });
}

function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | undefined)?.error;
  return typeof error === 'object' && typeof error.code === 'string' && typeof error.message === 'string';
}
