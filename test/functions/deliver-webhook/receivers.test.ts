import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import { describe, expect, it } from 'vitest';
import type { TerminalJob } from '../../../core/jobs/record.ts';
import type { PostLimits } from '../../../core/net/ports.ts';
import { anHttpServer, aTcpServer } from '../../adapters/http/builders/servers.ts';
import { aFailedJob } from '../../builders/jobs/ended-jobs.ts';
import { aDeliveryStage } from './delivery-stage.ts';

const answering =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

/** Sends some bytes every few milliseconds and never ends. */
function dripping(first: string) {
  return (socket: Socket) => {
    socket.write(first);
    const drip = setInterval(() => socket.write('x'), 5);
    socket.once('close', () => clearInterval(drip));
  };
}

const okHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n';

/** Broken receivers, the outcome that the journal has of an attempt, and its limits. */
const brokenReceivers: [string, () => Promise<number>, object, Partial<PostLimits>?][] = [
  ['hangs', () => aTcpServer(() => {}), { errorClass: 'timeout' }, { totalMs: 300 }],
  [
    'drips its head',
    () => aTcpServer(dripping('HTTP/1.1 200 OK\r\nX-Slow: ')),
    { errorClass: 'timeout' },
    { totalMs: 300 },
  ],
  [
    'resets',
    () => aTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
    { errorClass: 'reset' },
  ],
  ['is not there', aClosedPort, { errorClass: 'connect' }],
  ['answers garbage', () => aTcpServer((socket) => socket.end('\0\x01\x02 what?\r\n\r\n')), { errorClass: 'protocol' }],
  [
    'redirects',
    () => anHttpServer(answering(302, { location: '/elsewhere' })),
    { errorClass: 'redirect', status: 302 },
  ],
  ['is gone', () => anHttpServer(answering(410)), { errorClass: 'http-status', status: 410 }],
  ['is busy', () => anHttpServer(answering(429, { 'retry-after': '60' })), { errorClass: 'http-status', status: 429 }],
  [
    'fails',
    () => anHttpServer(answering(500, {}, 'a stack trace')),
    { errorClass: 'http-status', status: 500, responseBody: 'a stack trace' },
  ],
];

/** Receivers that accept the event with a body that is not complete within the limits. */
const acceptingReceivers: [string, () => Promise<number>, RegExp, Partial<PostLimits>?][] = [
  ['drips its body', () => aTcpServer(dripping(okHead)), /^x*$/, { bodyMs: 50 }],
  ['answers 1 MB', () => anHttpServer(answering(200, {}, Buffer.alloc(1_000_000, 'a'))), /^a{4096}$/],
  [
    'resets in its body',
    () =>
      anHttpServer((_request, response) => {
        response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy());
      }),
    /^half$/,
  ],
];

describe('a receiver that', () => {
  it.each(acceptingReceivers)('%s after a 200 has the event', async (_, listen, responseBody, limits) => {
    const port = await listen();
    const stage = await aDeliveryStage({
      job: aFailedJob({ webhookTarget: `http://127.0.0.1:${port}/hook` }),
      limits,
    });
    expect(await stage.attempt()).toEqual({ status: 'settled' });
    const [attempt] = await stage.attempts();
    const { deliveryOutcome, deliveredAttempt } = (await stage.record()) as TerminalJob;
    expect(deliveryOutcome).toBe('delivered');
    expect(attempt?.outcome ?? deliveredAttempt?.outcome).toMatchObject({
      delivered: true,
      status: 200,
      responseBody: expect.stringMatching(responseBody),
    });
  });

  it.each(brokenReceivers)('%s is one recorded failed attempt', async (_, listen, outcome, limits) => {
    const port = await listen();
    const stage = await aDeliveryStage({
      job: aFailedJob({ webhookTarget: `http://127.0.0.1:${port}/hook` }),
      limits,
    });
    expect(await stage.attempt()).toMatchObject({ status: 'retry', attempt: 2 });
    const attempts = await stage.attempts();
    expect(attempts).toHaveLength(1);
    expect(attempts[0]).toMatchObject({
      attempt: 1,
      outcome: { delivered: false, error: expect.any(String), ...outcome },
    });
  });
});
