import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import middy from '@middy/core';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { compression } from '../../../../adapters/runtime/http/compression.ts';
import { aGatewayEvent } from '../../../builders/http/a-gateway-event.ts';

const long = 'https://media.example/stream_0.mp4?X-Amz-Signature=5d\n'.repeat(10_000);

async function answerTo(acceptEncoding: string | undefined, body = long): Promise<APIGatewayProxyStructuredResultV2> {
  const handler = middy(async () => ({ statusCode: 200, headers: { 'content-type': 'text/vtt' }, body })).use(
    compression,
  );
  const headers: Record<string, string> = {};
  if (acceptEncoding !== undefined) headers['accept-encoding'] = acceptEncoding;
  return handler(aGatewayEvent({ headers }), { awsRequestId: 'request-1' } as Context);
}

describe('a long response', () => {
  it.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8'])(
    'is compressed for Accept-Encoding: %s',
    async (accepted) => {
      const { headers, body = '', isBase64Encoded } = await answerTo(accepted);
      expect({ headers, isBase64Encoded }).toEqual({
        headers: { 'content-type': 'text/vtt', 'content-encoding': 'gzip' },
        isBase64Encoded: true,
      });
      expect(body.length).toBeLessThan(long.length / 50);
      expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(long);
    },
  );

  it.each([undefined, '', 'br', 'gzip;q=0', 'identity'])(
    'is not compressed for Accept-Encoding: %s',
    async (accepted) => {
      expect(await answerTo(accepted)).toEqual({
        statusCode: 200,
        headers: { 'content-type': 'text/vtt' },
        body: long,
      });
    },
  );
});

describe('a response that is too large for Lambda', () => {
  const text = long.repeat(15);
  const quoted = '<S t="0" d="180000" r="3"/>\n'.repeat(200_000);
  const incompressible = randomBytes(6 * 1024 * 1024).toString('latin1');

  it('is compressed without an Accept-Encoding too', async () => {
    const { body = '', headers } = await answerTo(undefined, text);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip' });
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(text);
  });

  it.each([
    ['identity', text, 'send "Accept-Encoding: gzip"'],
    ['identity, by its quotes', quoted, 'send "Accept-Encoding: gzip"'],
    ['gzip', incompressible, 'choose longer segments'],
  ])('is a clear error where it cannot be sent: %s', async (accepted, body, advice) => {
    const message = expect.stringContaining(advice);
    await expect(answerTo(accepted, body)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message });
  });
});

it('a short response is not compressed', async () => {
  expect((await answerTo('gzip', 'short')).body).toBe('short');
});
