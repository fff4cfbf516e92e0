import type { ErrorBody } from './operation.ts';

type Failure = {
  status: number;
  /**
   * A code of the API, `UNREACHABLE` without a response, `STORAGE_<status>` for a response of a storage, or `HTTP_<status>`
   * for any other that is not the API's.
   */
  code: string;
  message: string;
  retryable: boolean;
  requestId?: string | undefined;
  details?: ErrorBody['error']['details'];
  retryAfterSeconds?: number | undefined;
  /** Whether the service may have executed an earlier attempt: it got no response, or a 5xx. */
  followsLostAttempt?: boolean | undefined;
  cause?: unknown;
};

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly details: ErrorBody['error']['details'];
  readonly retryAfterSeconds: number | undefined;
  readonly followsLostAttempt: boolean;

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.retryable = failure.retryable;
    this.requestId = failure.requestId;
    this.details = failure.details;
    this.retryAfterSeconds = failure.retryAfterSeconds;
    this.followsLostAttempt = failure.followsLostAttempt ?? false;
  }
}

/** A response of a `fetch` that may repeat a request. */
export type FetchedResponse = Response & {
  /** Whether the service may have executed an earlier attempt: it got no response, or a 5xx. */
  followsLostAttempt?: boolean;
};

/** The error of a failed response, in the API's shape or that of the gateway in front of it. */
export function apiErrorFromResponse(
  { status, headers, followsLostAttempt }: FetchedResponse,
  body: unknown,
): ApiError {
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  const common = { status, retryAfterSeconds, followsLostAttempt };
  if (isErrorBody(body)) return new ApiError({ ...body.error, ...common });
  return new ApiError({
    ...common,
    code: `HTTP_${status}`,
    message: `The API answered ${status}${reasonOf(status)}.`,
    retryable: status === 429 || status >= 500,
    requestId: headers.get('apigw-requestid') ?? undefined,
  });
}

/** Why the gateway answers in place of a function. */
function reasonOf(status: number): string {
  if (status === 429) return ': too many requests at once';
  return status >= 500 ? ': it is not available now' : '';
}

/** Whether the body of a response is an error in the API's shape. */
export function isErrorBody(body: unknown): body is ErrorBody {
  const error = (body as Partial<ErrorBody> | undefined)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string';
}
