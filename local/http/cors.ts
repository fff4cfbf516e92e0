import type { Cors } from '../template/resources/http-api.ts';

/** What cross-origin rules look at in a request. */
export type CrossOriginRequest = {
  method: string;
  origin: string | undefined;
  requestedMethod: string | undefined;
};

/** A browser's question before a cross-origin request. */
export function isPreflight({ method, origin, requestedMethod }: CrossOriginRequest): boolean {
  return method === 'OPTIONS' && origin !== undefined && requestedMethod !== undefined;
}

/** The headers that the gateway adds to its answer; none for a request without an origin, or from one not allowed. */
export function crossOriginHeaders(cors: Cors, request: CrossOriginRequest): Record<string, string> {
  const { origin } = request;
  if (origin === undefined) return {};
  const anyOrigin = cors.AllowOrigins.includes('*');
  if (!anyOrigin && !cors.AllowOrigins.includes(origin)) return {};
  const headers: Record<string, string> = { 'access-control-allow-origin': anyOrigin ? '*' : origin };
  if (cors.AllowCredentials) headers['access-control-allow-credentials'] = 'true';
  if (!isPreflight(request))
    return { ...headers, ...list('access-control-expose-headers', cors.ExposeHeaders) };
  return {
    ...headers,
    ...list('access-control-allow-methods', cors.AllowMethods),
    ...list('access-control-allow-headers', cors.AllowHeaders),
    ...(cors.MaxAge === undefined ? {} : { 'access-control-max-age': String(cors.MaxAge) }),
  };
}

function list(name: string, values: readonly string[]): Record<string, string> {
  return values.length > 0 ? { [name]: values.join(',') } : {};
}
