import { ClauseViolation } from '../expectation.ts';

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

/** Calls a path of the API. */
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
