import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';
import { apiSecurityHeaders } from '../../../core/access/content-security-policy.ts';
import type { Contract } from '../../../core/api/contract.ts';
import { type CrossOriginRoute, crossOriginHeaders } from '../../../core/api/cross-origin.ts';
import type { ErrorBody } from '../../../core/api/error-body.ts';
import { ConflictError } from '../../../core/async.ts';
import { AppError, apiErrors } from '../../../core/errors.ts';
import { awsFailureOf } from '../../../core/net/aws-failure.ts';
import { version, versionHeader } from '../../../core/version.ts';
import { readEnv } from '../env.ts';

/** Headers of every response. A route may replace them. */
export const defaultHeaders = { 'cache-control': 'no-store', [versionHeader]: version, ...apiSecurityHeaders };

/** Serializes a route's result by its schema, which drops fields that the contract does not declare. */
export function serializeResponse(
  contract: Contract,
  { status, body, headers }: { status: number; body?: unknown; headers?: Record<string, string> },
): APIGatewayProxyStructuredResultV2 {
  const { schema, text } = contract.responses[status] ?? {};
  const allHeaders = { ...defaultHeaders, ...headers };
  if (text !== undefined && typeof body === 'string') return { statusCode: status, headers: allHeaders, body };
  if (schema === undefined) return { statusCode: status, headers: allHeaders };
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', ...allHeaders },
    body: JSON.stringify(schema.parse(body)),
  };
}

const unavailableRetrySeconds = 2;

/**
 * Maps an error for the caller: an AppError stays, an AWS outage or a ConflictError is UNAVAILABLE, anything else is
 * INTERNAL_ERROR.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ConflictError) return new AppError('UNAVAILABLE', error.message, { cause: error });
  if (awsFailureOf(error)?.kind === 'outage') {
    const message = 'A dependency of the service is unavailable; try again shortly.';
    return new AppError('UNAVAILABLE', message, { cause: error });
  }
  const message = 'The service failed; its log has the cause under the request id.';
  return new AppError('INTERNAL_ERROR', message, { cause: error });
}

export function errorResponse(error: AppError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { code, message, details } = error;
  const { status } = apiErrors[code];
  const retryAfterSeconds = error.retryAfterSeconds ?? (code === 'UNAVAILABLE' ? unavailableRetrySeconds : undefined);
  // Some limits are reached for good, such as the number of redeliveries of a job.
  const retryable = code === 'LIMIT_EXCEEDED' ? retryAfterSeconds !== undefined : apiErrors[code].retryable;
  const body: ErrorBody = { error: { code, message, retryable, requestId, details } };
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      ...defaultHeaders,
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...error.headers,
      // RFC 9110 section 11.6.1: a 401 names the authentication scheme.
      ...(code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {}),
    },
    body: JSON.stringify(body),
  };
}

const corsEnv = z.object({ DASHBOARD_ORIGIN: z.string().optional() });

/** The CORS headers of answers to an event. None without a dashboard origin: then API Gateway sets them. */
export function crossOriginFromEnvironment(): (
  route: CrossOriginRoute,
  event: APIGatewayProxyEventV2,
) => Record<string, string> {
  const { DASHBOARD_ORIGIN } = readEnv(corsEnv);
  if (DASHBOARD_ORIGIN === undefined) return () => ({});
  return (route, { headers, requestContext: { http } }) =>
    crossOriginHeaders(DASHBOARD_ORIGIN, route, { method: http.method, headers });
}

/** Adds the CORS headers to every answer and error of a route. The first middleware: what it adds is never replaced. */
export function crossOrigin(
  route: CrossOriginRoute,
): MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2> {
  const headersFor = crossOriginFromEnvironment();
  const add: MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>['after'] = ({
    event,
    response,
  }) => {
    if (response) response.headers = { ...response.headers, ...headersFor(route, event) };
  };
  return { after: add, onError: add };
}
