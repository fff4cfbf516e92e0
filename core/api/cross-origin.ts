import type { Contract } from './contract.ts';

/** What pages of other origins may send to the API and read of its answers. */
export const crossOriginAccess = {
  allowHeaders: ['Authorization', 'Content-Type', 'X-API-KEY'],
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposeHeaders: [
    ...['Location', 'ETag', 'Retry-After', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy'],
    // Of files: without a dashboard origin, API Gateway has one rule for all routes.
    ...['Accept-Ranges', 'Content-Disposition', 'Content-Length'],
  ],
  maxAgeSeconds: 3600,
} as const;

/** What pages may send for a file besides. Its signature gives access to pages of any origin; a player requests ranges. */
const fileHeaders = ['Range', 'If-Range'];

/** Undefined for an unknown path. */
export type CrossOriginRoute = Pick<Contract, 'path' | 'anyOrigin'> | undefined;

export type CrossOriginRequest = { method: string; headers: Record<string, string | undefined> };

/**
 * The CORS headers of an answer on a stage whose dashboard has another origin (Fetch standard, "CORS protocol").
 *
 * @param request with lower-case header names
 */
export function crossOriginHeaders(
  dashboardOrigin: string,
  route: CrossOriginRoute,
  { method, headers: { origin, 'access-control-request-method': requestedMethod } }: CrossOriginRequest,
): Record<string, string> {
  const isFile = route?.anyOrigin === true;
  // A cache must not give the answer for one origin to another.
  const vary: Record<string, string> = isFile ? {} : { vary: 'origin' };
  if (!isFile && origin !== dashboardOrigin) return vary;
  const { allowHeaders, allowMethods, exposeHeaders, maxAgeSeconds } = crossOriginAccess;
  const allowed = { ...vary, 'access-control-allow-origin': isFile ? '*' : dashboardOrigin };
  if (method !== 'OPTIONS' || requestedMethod === undefined)
    return { ...allowed, 'access-control-expose-headers': exposeHeaders.join(',') };
  return {
    ...allowed,
    'access-control-allow-methods': allowMethods.join(','),
    'access-control-allow-headers': [...allowHeaders, ...(isFile ? fileHeaders : [])].join(','),
    'access-control-max-age': String(maxAgeSeconds),
  };
}
