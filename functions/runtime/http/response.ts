import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Contract } from '../../../core/api/contract.ts';
import type { ErrorBody } from '../../../core/api/error-body.ts';
import { AppError, apiErrors } from '../../../core/errors.ts';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** Writes an answer from its schema, which leaves out whatever the contract does not name. */
export function serializeResponse(
  contract: Contract,
  { status, body, headers }: Answer,
): APIGatewayProxyStructuredResultV2 {
  const { schema, text } = contract.responses[status] ?? {};
  const own = { 'cache-control': 'no-store', ...headers };
  if (text !== undefined) return { statusCode: status, headers: own, body: String(body) };
  if (schema === undefined) return { statusCode: status, headers: own };
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...own },
    body: JSON.stringify(schema.parse(body)),
  };
}

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
    error: { code, message, retryable, requestId, details },
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

/** Names under which AWS services say that they are asked too much (AWS SDKs Reference, "Retry behavior"). */
const throttling = /Throttl|ThroughputExceeded|RequestLimitExceeded|TooManyRequests|SlowDown|BandwidthLimit/;

/**
 * Whether an AWS service failed, was too busy or could not be reached, so that the same request may succeed later. A
 * call that AWS refused for what it was is a fault of ours instead, and will be refused again.
 */
export function isAwsOutage(error: unknown): boolean {
  // Every error of an SDK's client carries this, those of its connection included.
  if (!(error instanceof Error && '$metadata' in error)) return false;
  const fault = '$fault' in error ? error.$fault : undefined;
  return fault !== 'client' || throttling.test(error.name);
}
