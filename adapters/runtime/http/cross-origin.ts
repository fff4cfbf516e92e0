import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';
import { type CrossOriginRoute, crossOriginHeaders } from '../../../core/api/cross-origin.ts';
import { readEnv } from '../env.ts';

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
