import * as z from 'zod';
import { frontHeaders } from '../http-server.ts';
import type { InvocationResult } from '../lambda/runtime-api.ts';

export type GatewayResponse = { status: number; headers: Record<string, string | string[]>; body: Buffer };

/** Responds to the paths of pages, at the origin of the API. Returns undefined for any other path. */
export type PageHandler = (
  method: string,
  path: string,
  body: () => Promise<Buffer>,
  headers: Record<string, string>,
) => GatewayResponse | Promise<GatewayResponse> | undefined;

const proxyResponse = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** A response of the gateway itself, in the format of API Gateway and with the headers that CloudFront adds. */
export function gatewayError(status: number, message: string): GatewayResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...frontHeaders },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/**
 * Converts the result of a function, in payload format 2.0: an object with a status code, or any other JSON, which
 * becomes the body. A failed function gives a 500 of the gateway.
 */
export function functionResponse(result: InvocationResult): GatewayResponse {
  if (!result.ok) return gatewayError(500, 'Internal Server Error');
  const returned: unknown = JSON.parse(result.payload);
  if (!(typeof returned === 'object' && returned !== null && 'statusCode' in returned))
    return inferredResponse(returned);
  const response = proxyResponse.safeParse(returned);
  if (!response.success) return gatewayError(500, 'Internal Server Error');
  const { statusCode, headers, cookies, body, isBase64Encoded } = response.data;
  const lowerCased = Object.entries(headers ?? {}).map(([name, value]) => [sentName(name), String(value)]);
  return {
    status: statusCode,
    headers: {
      ...(body ? { 'content-type': 'text/plain;charset=UTF-8' } : {}),
      ...Object.fromEntries(lowerCased),
      ...(cookies && cookies.length > 0 ? { 'set-cookie': cookies } : {}),
    },
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** API Gateway renames one header of functions (API Gateway Developer Guide, "Important notes"). */
function sentName(name: string): string {
  const lowerCased = name.toLowerCase();
  return lowerCased === 'www-authenticate' ? `x-amzn-remapped-${lowerCased}` : lowerCased;
}

function inferredResponse(returned: unknown): GatewayResponse {
  const body = typeof returned === 'string' ? returned : JSON.stringify(returned);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
}
