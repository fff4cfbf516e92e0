import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

it('listen forwards each end of a job, signed with the secret that it prints', async () => {
  const jobId = '019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11';
  const event = (index: number, state: string) => ({
    ...{ id: `${jobId}.${index}`, jobId, type: `job.${state}`, at: '2026-03-01T12:01:00.250Z' },
    data: { jobId, state, progress: 0 },
  });
  const body = { events: [event(0, 'queued'), event(1, 'cancelled')], nextCursor: 'next' };
  const api = await aStubApi({ 'GET /api/v1/events': { status: 200, body } });
  onTestFinished(api.close);
  const stop = new AbortController();
  const received: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(204).end();
    stop.abort();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const forward = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const { err, exitCode } = await runCli(['listen', '--forward', forward], {
    baseUrl: api.origin,
    signal: stop.signal,
  });
  const [secret = ''] = /whsec_\S+/.exec(err) ?? [];
  const [webhook] = received;
  expect(new Webhook(secret).verify(webhook?.body ?? '', webhook?.headers ?? {})).toEqual({
    data: { jobId, state: 'cancelled', progress: 0 },
    timestamp: Date.parse('2026-03-01T12:01:00.250Z'),
  });
  expect([webhook?.headers['webhook-id'], exitCode]).toEqual([`evt_${jobId}`, 130]);
});
