import { describe, expect, it } from 'vitest';
import { routeMatcher } from '../../src/http/routes.ts';

const keys = [
  '$default',
  'GET /jobs',
  'GET /jobs/{id}',
  'GET /jobs/recent',
  'ANY /jobs/{id}',
  'POST /jobs/{id}/cancel',
  'GET /files/{path+}',
];
const routeOf = routeMatcher(keys.map((key) => ({ key, functionName: key, timeoutMs: 30_000 })));
const matched = (method: string, path: string) => {
  const match = routeOf(method, path);
  return [match?.route.key, match?.pathParameters];
};

describe('a request matches', () => {
  it.each([
    ['the route of its path and method', 'GET', '/jobs', 'GET /jobs', undefined],
    ['a route with a variable', 'GET', '/jobs/7', 'GET /jobs/{id}', { id: '7' }],
    ['a literal segment before a variable', 'GET', '/jobs/recent', 'GET /jobs/recent', undefined],
    ['the method itself before ANY', 'DELETE', '/jobs/7', 'ANY /jobs/{id}', { id: '7' }],
    ['a longer path', 'POST', '/jobs/7/cancel', 'POST /jobs/{id}/cancel', { id: '7' }],
    ['a greedy variable', 'GET', '/files/a/b%20c', 'GET /files/{path+}', { path: 'a/b c' }],
    ['a variable with an encoded slash', 'GET', '/jobs/a%2Fb', 'GET /jobs/{id}', { id: 'a/b' }],
    ['a variable with broken encoding', 'GET', '/jobs/%zz', 'GET /jobs/{id}', { id: '%zz' }],
    ['$default for another path', 'GET', '/nothing', '$default', undefined],
    ['$default for another method', 'PUT', '/jobs', '$default', undefined],
    ['$default for a slash too many', 'GET', '/jobs/', '$default', undefined],
  ])('%s', (_, method, path, key, pathParameters) => expect(matched(method, path)).toEqual([key, pathParameters]));

  it('a literal segment that is declared last, after a shorter path', () => {
    const declared = ['GET /jobs/{id}', 'GET /jobs', 'GET /jobs/recent'];
    const route = routeMatcher(declared.map((key) => ({ key, functionName: key, timeoutMs: 30_000 })));
    expect(route('GET', '/jobs/recent')?.route.key).toBe('GET /jobs/recent');
  });

  it('no route if there is no $default', () => expect(routeMatcher([])('GET', '/')).toBeUndefined());
});
