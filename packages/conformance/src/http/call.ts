import { ClauseViolation, expect, expectField, formatValue } from '../expectation.ts';

export type RequestOptions = { headers?: Record<string, string>; body?: unknown };

export type ApiResponse = {
  /** Method and path, such as `GET /api/v1/jobs`. */
  request: string;
  status: number;
  headers: Headers;
  text: string;
  /** The parsed text; undefined if it is not JSON. */
  body: unknown;
};

export type Call = (method: string, path: string, sending?: RequestOptions) => Promise<ApiResponse>;

export type Caller = { baseUrl: string; headers?: Record<string, string>; timeoutMs: number };

/** Creates a call that sends these headers with every request. Bodies are sent as JSON. */
export function createCall({ baseUrl, headers: always = {}, timeoutMs }: Caller): Call {
  return async (method, path, { headers = {}, body } = {}) => {
    const request = `${method} ${path}`;
    const contentType: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { ...contentType, ...always, ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      return { request, status: response.status, headers: response.headers, text, body: parseJson(text) };
    } catch (cause) {
      throw new ClauseViolation(`${request} got no response: ${fetchFailureReason(cause)}`, { cause });
    }
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The reason of a failed fetch is in the cause of its error. */
export function fetchFailureReason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** Expects a 2xx response. Returns its JSON body. */
export function expectSuccess({ request, status, text, body }: ApiResponse): Record<string, unknown> {
  expect(status >= 200 && status < 300, `${request} returned ${status} ${formatValue(text)}`);
  return expectField({ body }, 'body', 'object');
}

/** Expects a 4xx response with an error body. */
export function expectClientError(response: ApiResponse, why: string): void {
  const { request, status, text } = response;
  expect(status >= 400 && status < 500, `${request} with ${why} returned ${status} ${formatValue(text)}`);
  expectErrorBody(response);
}

export function expectUnauthorized(response: ApiResponse, why: string): void {
  const { request, status, text } = response;
  expect(status === 401, `${request} with ${why} returned ${status} ${formatValue(text)}`);
  const { code, retryable } = expectErrorBody(response);
  expect(code === 'UNAUTHORIZED', `error.code of a 401 is ${code}`);
  expect(!retryable, 'error.retryable of a 401 is true');
}

export function expectErrorBody({ body }: ApiResponse): {
  code: string;
  message: string;
  retryable: boolean;
} {
  return {
    code: expectField(body, 'error.code', 'string'),
    message: expectField(body, 'error.message', 'string'),
    retryable: expectField(body, 'error.retryable', 'boolean'),
  };
}
