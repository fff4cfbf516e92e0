import { expect } from 'vitest';
import type { ApiErrorCode, ErrorDetail } from '../../core/errors.ts';
import type { RawAnswer } from './raw-request.ts';

/** The exact response to a hostile request, except for its request id. */
export type Rejection = { status: number; code: ApiErrorCode; message: string; details?: ErrorDetail[] };

export const unauthorized = (message: string): Rejection => ({ status: 401, code: 'UNAUTHORIZED', message });

export const notFound = (message: string): Rejection => ({ status: 404, code: 'NOT_FOUND', message });

export const invalid = (path: string, message: string): Rejection => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  message: `The request is not valid. ${path}: ${message}`,
  details: [{ path, message }],
});

export const invalidUrl = (path: string, message: string): Rejection => ({
  status: 400,
  code: 'INVALID_URL',
  message: `${path}: ${message}`,
  details: [{ path, message }],
});

/** Asserts the status and the whole error body of a response. */
export function expectRejection({ status, headers, text }: RawAnswer, wanted: Rejection): void {
  const { status: wantedStatus, ...error } = wanted;
  const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect({ status, body: JSON.parse(text) }).toEqual({
    status: wantedStatus,
    body: { error: { ...error, retryable: false, requestId } },
  });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
}
