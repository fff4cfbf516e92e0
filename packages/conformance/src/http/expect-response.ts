import { expect, expectField, formatValue } from '../expectation.ts';
import type { ApiResponse } from './call.ts';

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

/** Expects the 401 of an unauthenticated request. */
export function expectUnauthorized(response: ApiResponse, why: string): void {
  const { request, status, text } = response;
  expect(status === 401, `${request} with ${why} returned ${status} ${formatValue(text)}`);
  const { code, retryable } = expectErrorBody(response);
  expect(code === 'UNAUTHORIZED', `error.code of a 401 is ${code}`);
  expect(!retryable, 'error.retryable of a 401 is true');
}

/** Expects an error body. Returns its fields. */
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
