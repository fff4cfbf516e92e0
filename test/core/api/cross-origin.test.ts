import { describe, expect, it } from 'vitest';
import { type CrossOriginRoute, crossOriginHeaders } from '../../../core/api/cross-origin.ts';
import { getFileContract } from '../../../core/api/files.ts';
import { getJobContract } from '../../../core/api/jobs.ts';

const dashboard = 'https://app.example';
const stranger = 'https://elsewhere.example';

const exposed =
  'Location,ETag,Retry-After,Idempotent-Replayed,RateLimit,RateLimit-Policy,Accept-Ranges,Content-Disposition,Content-Length';

const headersFor = (route: CrossOriginRoute, headers: Record<string, string>, method = 'GET') =>
  crossOriginHeaders(dashboard, route, { method, headers });

describe('an answer of the API', () => {
  it.each([getJobContract, undefined])('is readable by pages of the dashboard only', (route) => {
    expect(headersFor(route, { origin: dashboard })).toEqual({
      vary: 'origin',
      'access-control-allow-origin': dashboard,
      'access-control-expose-headers': exposed,
    });
    for (const headers of [{ origin: stranger }, { origin: 'null' }, {}] as Record<string, string>[]) {
      expect(headersFor(route, headers)).toEqual({ vary: 'origin' });
    }
  });

  it('is preceded by a preflight that allows every method and three headers', () => {
    const preflight = { origin: dashboard, 'access-control-request-method': 'PUT' };
    expect(headersFor(getJobContract, preflight, 'OPTIONS')).toEqual({
      vary: 'origin',
      'access-control-allow-origin': dashboard,
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers': 'Authorization,Content-Type,X-API-KEY',
      'access-control-max-age': '3600',
    });
    expect(headersFor(getJobContract, { ...preflight, origin: stranger }, 'OPTIONS')).toEqual({ vary: 'origin' });
  });
});

describe('an answer of a file route', () => {
  it.each([stranger, dashboard, 'null'])('is readable by pages of any origin: %s', (origin) => {
    expect(headersFor(getFileContract, { origin })).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposed,
    });
  });

  it('is preceded by a preflight that allows ranges', () => {
    const preflight = { origin: stranger, 'access-control-request-method': 'GET' };
    expect(headersFor(getFileContract, preflight, 'OPTIONS')).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Authorization,Content-Type,X-API-KEY,Range,If-Range',
    });
  });
});
