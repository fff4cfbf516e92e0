import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';

export type GatewayEventOptions = {
  method?: string;
  path?: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown;
  isBase64Encoded?: boolean;
  /** What `getRemainingTimeInMillis` returns. */
  remainingMs?: number;
};

/** A request as API Gateway passes it to a function, in payload format 2.0. */
export function aGatewayEvent(parts: GatewayEventOptions = {}): APIGatewayProxyEventV2 {
  const { method = 'GET', path = '/api/v1/things', params, query, headers = {}, body } = parts;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { ...type, ...headers },
    ...(params === undefined ? {} : { pathParameters: params }),
    ...(query === undefined ? {} : { queryStringParameters: query }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      domainName: 'api.example',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.9', userAgent: 'test' },
      requestId: 'gateway-request',
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '01/Mar/2026:12:00:00 +0000',
      timeEpoch: 1_772_366_400_000,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    isBase64Encoded: parts.isBase64Encoded ?? false,
  };
}

export type HandlerAnswer = { status: number; headers: Record<string, unknown>; body: unknown };

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** Invokes a handler and returns its answer, with the body parsed. */
export async function callHandler(handler: Handler, parts: GatewayEventOptions = {}): Promise<HandlerAnswer> {
  const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => parts.remainingMs ?? 20_000 } as Context;
  const { statusCode = 0, headers = {}, body } = await handler(aGatewayEvent(parts), context);
  return { status: statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
}
