import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ErrorBody } from '../../../core/api/error-body.ts';
import { AppError, apiErrors } from '../../../core/errors.ts';
import { isAwsOutage } from './aws-failure.ts';

const retryAfterSeconds = 2;

/** An error as its caller sees it: ours as they are, an AWS service that does not answer as UNAVAILABLE, all else without a word. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAwsOutage(error)) {
    const message = 'A part of the service does not answer; try again shortly.';
    return new AppError('UNAVAILABLE', message, { cause: error });
  }
  const message = 'The service failed; the request id finds the cause in its log.';
  return new AppError('INTERNAL_ERROR', message, { cause: error });
}

/** The answer for an error, in the one shape that every error has. */
export function errorResponse(error: AppError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { code, message, details } = error;
  const { status, retryable } = apiErrors[code];
  const body: ErrorBody = {
    error: { code, message, retryable, requestId, ...(details === undefined ? {} : { details }) },
  };
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(code === 'UNAVAILABLE' ? { 'retry-after': String(retryAfterSeconds) } : {}),
      // RFC 9110 section 11.6.1: a 401 names the scheme that it wants.
      ...(code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {}),
    },
    body: JSON.stringify(body),
  };
}
