import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ErrorBody } from '../../../core/api/error-body.ts';
import { AppError, apiErrors } from '../../../core/errors.ts';

const retryAfterSeconds = 2;

/** An error as its caller sees it: ours as they are, a failing AWS service as UNAVAILABLE, all else without a word. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAwsFailure(error)) {
    return new AppError('UNAVAILABLE', 'A part of the service does not answer; try again shortly.', {
      cause: error,
    });
  }
  return new AppError('INTERNAL_ERROR', 'The service failed; the request id finds the cause in its log.', {
    cause: error,
  });
}

/** The answer for an error, in the one shape that every error has. */
export function errorAnswer(error: AppError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { code, message, details } = error;
  const { status, retryable } = apiErrors[code];
  const body: ErrorBody = {
    error: { code, message, retryable, requestId, ...(details === undefined ? {} : { details }) },
  };
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      ...(code === 'UNAVAILABLE' ? { 'retry-after': String(retryAfterSeconds) } : {}),
    },
    body: JSON.stringify(body),
  };
}

/** Every error of an AWS SDK client carries `$metadata`, those of its connection included. */
function isAwsFailure(error: unknown): boolean {
  return error instanceof Error && '$metadata' in error;
}
