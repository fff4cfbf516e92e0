import { describe, expect, it } from 'vitest';
import { proxyEvent, type RawRequest } from '../../src/http/proxy-event.ts';
import documented from '../fixtures/proxy-event-2.0.json' with { type: 'json' };

const facts = { apiName: 'api-id', requestId: 'id', now: new Date('2020-03-12T19:03:58.390Z') };
const route = { key: 'POST /my/{parameter1}', functionName: 'fn', timeoutMs: 30_000 };

function aRequest(changes: Partial<RawRequest> = {}): RawRequest {
  return {
    method: 'POST',
    target: '/my/value1',
    httpVersion: '1.1',
    rawHeaders: ['Host', 'id.execute-api.us-east-1.amazonaws.com'],
    body: Buffer.alloc(0),
    sourceIp: '192.0.2.1',
    port: 8787,
    ...changes,
  };
}

const eventOf = (changes: Partial<RawRequest>) =>
  proxyEvent(aRequest(changes), { route, pathParameters: undefined }, facts) as Record<string, unknown>;

it('the event has the documented shape of payload format 2.0', () => {
  const request = aRequest({
    target: '/my/value1?parameter1=value1&parameter1=value2&parameter2=value',
    rawHeaders: [
      'Host',
      'id.execute-api.us-east-1.amazonaws.com',
      'Header1',
      'value1',
      'HEADER2',
      'value1',
      'header2',
      'value2',
      'Cookie',
      'cookie1; cookie2',
      'User-Agent',
      'agent',
      'Content-Type',
      'text/plain',
    ],
    body: Buffer.from('Hello from Lambda'),
  });
  expect(proxyEvent(request, { route, pathParameters: { parameter1: 'value1' } }, facts)).toEqual(documented);
});

it('the event omits fields that the request does not have', () => {
  const event = eventOf({});
  for (const field of ['body', 'cookies', 'queryStringParameters', 'pathParameters']) {
    expect(event).not.toHaveProperty(field);
  }
  expect(event).toMatchObject({ rawQueryString: '', isBase64Encoded: false });
});

it('a header that was sent twice is joined, including a credential', () => {
  const { headers } = eventOf({ rawHeaders: ['Authorization', 'Bearer a', 'authorization', 'Bearer b'] });
  expect(headers).toMatchObject({ authorization: 'Bearer a,Bearer b' });
});

it('the path is decoded and the query is not', () => {
  const event = eventOf({ target: '/my/a%20b?q=c%20d' });
  expect(event).toMatchObject({ rawPath: '/my/a b', rawQueryString: 'q=c%20d', queryStringParameters: { q: 'c d' } });
});

it('every query parameter is passed, whatever its name', () => {
  const { queryStringParameters } = eventOf({ target: '/my/a?__proto__=1&constructor=2' });
  expect(JSON.stringify(queryStringParameters)).toBe('{"__proto__":"1","constructor":"2"}');
});

it('the client address is appended to x-forwarded-for', () => {
  const { headers } = eventOf({ rawHeaders: ['X-Forwarded-For', '203.0.113.9'] });
  expect(headers).toMatchObject({ 'x-forwarded-for': '203.0.113.9, 192.0.2.1' });
});

describe('a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'TEXT/CSV',
    'application/xml',
    'application/javascript',
  ])('a body of type %s is text', (type) => {
    const event = eventOf({ rawHeaders: ['Content-Type', type], body: Buffer.from('{"ä":1}') });
    expect(event).toMatchObject({ body: '{"ä":1}', isBase64Encoded: false });
  });

  it.each([['video/mp4'], ['application/x-www-form-urlencoded'], ['application/problem+json'], [undefined]])(
    'of %s is base64',
    (type) => {
      const bytes = Buffer.from([0xff, 0x00, 0x80]);
      const event = eventOf({ rawHeaders: type === undefined ? [] : ['Content-Type', type], body: bytes });
      expect(event).toMatchObject({ body: '/wCA', isBase64Encoded: true });
    },
  );
});
