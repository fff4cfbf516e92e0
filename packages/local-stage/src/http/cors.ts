import type { Cors } from '../template/resources/http-api.ts';

/** The parts of a request that CORS depends on. */
export type CrossOriginRequest = {
  method: string;
  origin: string | undefined;
  requestedMethod: string | undefined;
};

export function isPreflight({ method, origin, requestedMethod }: CrossOriginRequest): boolean {
  return method === 'OPTIONS' && origin !== undefined && requestedMethod !== undefined;
}

/** The CORS headers of a response. None for a request without an origin, or from an origin that is not allowed. */
export function crossOriginHeaders(cors: Cors, request: CrossOriginRequest): Record<string, string> {
  const { origin } = request;
  if (origin === undefined) return {};
  const anyOrigin = cors.AllowOrigins.includes('*');
  if (!anyOrigin && !cors.AllowOrigins.includes(origin)) return {};
  const headers: Record<string, string> = { 'access-control-allow-origin': anyOrigin ? '*' : origin };
  if (cors.AllowCredentials) headers['access-control-allow-credentials'] = 'true';
  if (!isPreflight(request)) return { ...headers, ...listHeader('access-control-expose-headers', cors.ExposeHeaders) };
  return {
    ...headers,
    ...listHeader('access-control-allow-methods', cors.AllowMethods),
    ...listHeader('access-control-allow-headers', cors.AllowHeaders),
    ...(cors.MaxAge === undefined ? {} : { 'access-control-max-age': String(cors.MaxAge) }),
  };
}

function listHeader(name: string, values: readonly string[]): Record<string, string> {
  return values.length > 0 ? { [name]: values.join(',') } : {};
}
