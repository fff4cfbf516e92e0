import { expect, it } from 'vitest';
import { functionResponse } from '../../src/http/gateway-response.ts';

const answerTo = (returned: unknown) => functionResponse({ ok: true, payload: JSON.stringify(returned) });

it('a result with a status code is the response', () => {
  const answer = answerTo({
    statusCode: 201,
    headers: { 'Content-Type': 'application/json', Location: '/jobs/1', 'Retry-After': 5 },
    cookies: ['a=1', 'b=2'],
    body: '{"jobId":"1"}',
  });
  expect(answer).toEqual({
    status: 201,
    headers: {
      'content-type': 'application/json',
      location: '/jobs/1',
      'retry-after': '5',
      'set-cookie': ['a=1', 'b=2'],
    },
    body: Buffer.from('{"jobId":"1"}'),
  });
});

it('a result may have a base64 body', () => {
  expect(answerTo({ statusCode: 200, body: '/wCA', isBase64Encoded: true }).body).toEqual(Buffer.from([0xff, 0, 0x80]));
});

it('a response has a default content type only if it has a body', () => {
  expect(answerTo({ statusCode: 200, body: 'hello' }).headers).toEqual({ 'content-type': 'text/plain;charset=UTF-8' });
  expect(answerTo({ statusCode: 204 }).headers).toEqual({});
});

it('a result without a status code becomes the body', () => {
  expect(answerTo({ jobs: [] })).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"jobs":[]}'),
  });
});

it.each([
  ['an error', functionResponse({ ok: false, error: { errorType: 'Error', errorMessage: 'secret' } })],
  ['a status code that is none', answerTo({ statusCode: 'often' })],
  ['a body that is not text', answerTo({ statusCode: 200, body: { a: 1 } })],
])('a result that is %s gives a 500 of the gateway', (_, answer) => {
  expect([answer.status, String(answer.body)]).toEqual([500, '{"message":"Internal Server Error"}']);
});
