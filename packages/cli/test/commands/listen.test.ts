import { aWebServer } from '@media-jobs/testing/web-server';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
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
  const stop = new AbortController();
  const receiver = await aWebServer((_, response) => {
    response.writeHead(204).end();
    stop.abort();
  });
  const { err, exitCode } = await runCli(['listen', '--forward', `${receiver.origin}/hook`], {
    baseUrl: api.origin,
    signal: stop.signal,
  });
  const [secret = ''] = /whsec_\S+/.exec(err) ?? [];
  const [webhook] = receiver.requests;
  const headers = webhook?.headers as Record<string, string>;
  expect(new Webhook(secret).verify(webhook?.body ?? '', headers)).toEqual({
    data: { jobId, state: 'cancelled', progress: 0 },
    timestamp: Date.parse('2026-03-01T12:01:00.250Z'),
  });
  expect([headers['webhook-id'], exitCode]).toEqual([`evt_${jobId}`, 130]);
});
