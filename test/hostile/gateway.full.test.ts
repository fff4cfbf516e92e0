// @module-tag requests
import { beforeAll, describe, expect, it } from 'vitest';
import { aClosedStage, type ClosedStage } from './closed-stage.ts';
import type { RawRequest } from './raw-request.ts';

const badRequest = { status: 400, message: 'Bad Request' };
const headersTooLarge = { status: 431, message: 'Request Header Fields Too Large' };
const bodyTooLarge = { status: 413, message: 'Request Entity Too Large' };

const target = '/api/v1/jobs';
const header = (name: string, value: string): RawRequest => ({ target, headers: [[name, value]] });
const post = (headers: RawRequest['headers'], body: string): RawRequest => ({
  method: 'POST',
  target,
  headers: [['Content-Type', 'application/json'], ...(headers ?? [])],
  body,
});

const lengths = (...values: string[]) => values.map((value) => ['Content-Length', value] as const);
const chunked = [['Transfer-Encoding', 'chunked']] as const;
/** Requests whose end two HTTP parsers may see in different places (request smuggling). */
const ambiguous = [...lengths('4'), ...chunked];

/** Requests that API Gateway rejects itself. */
const rejected: [name: string, request: RawRequest, answer: { status: number; message: string }][] = [
  ['a credential of 100 KB', header('Authorization', `Bearer ${'a'.repeat(100_000)}`), headersTooLarge],
  ['a credential of 11 KB', header('X-API-KEY', 'a'.repeat(11_000)), headersTooLarge],
  ['three thousand headers', { target, headers: Array(3_000).fill(['X-A', 'b']) }, headersTooLarge],
  ['an id of 10 KB', { target: `${target}/${'x'.repeat(10_240)}` }, headersTooLarge],
  ['a query of 100 KB', { target: `${target}?cursor=${'x'.repeat(100_000)}` }, headersTooLarge],
  ['a body of 10 MB', post([], 'x'.repeat(10_000_000)), bodyTooLarge],
  ['a body of 11 MB', post([], 'x'.repeat(11_000_000)), bodyTooLarge],
  ['a NUL in a header', header('X-A', 'a\0b'), badRequest],
  ['a carriage return in a header', header('X-A', 'a\rb'), badRequest],
  ['a line feed in a header', header('X-A', 'a\nX-API-KEY: b'), badRequest],
  ['a space in the name of a header', header('X A', 'b'), badRequest],
  ['a header without a name', header('', 'b'), badRequest],
  ['a byte beyond ASCII in the path', { target: `${target}/\xe9` }, badRequest],
  ['a control character in the path', { target: `${target}/\x01` }, badRequest],
  ['a space in the path', { target: `${target}/a b` }, badRequest],
  ['an empty path', { target: '' }, badRequest],
  ['an unknown method', { method: 'BREW', target }, badRequest],
  ['a method in small letters', { method: 'get', target }, badRequest],
  ['CONNECT', { method: 'CONNECT', target: '169.254.169.254:80' }, badRequest],
  ['a length and chunks', post(ambiguous, '0\r\n\r\n'), badRequest],
  ['two lengths', post(lengths('2', '3'), '{}'), badRequest],
  ['a negative length', post(lengths('-1'), ''), badRequest],
  ['malformed chunks', post(chunked, 'zz\r\n'), badRequest],
];

let world: ClosedStage;
beforeAll(async () => {
  world = await aClosedStage();
});

describe('API Gateway answers in its own shape', () => {
  it.each(rejected)('%s', async (_, request, { status, message }) => {
    const answer = await world.raw(request);
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({ status, body: { message } });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });

  it('once if a second request hides in the body of the first', async () => {
    const hidden = `GET ${target} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${world.alice.key}\r\n\r\n`;
    const { text } = await world.raw(post(ambiguous, `0\r\n\r\n${hidden}`));
    expect(text).toBe('{"message":"Bad Request"}');
  });
});
