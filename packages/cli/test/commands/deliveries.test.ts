import { listDeliveriesContract, queuedJobExample, redeliverJobContract } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

const { jobId } = queuedJobExample;
const path = `/api/v1/jobs/${jobId}/deliveries`;
const { example } = listDeliveriesContract.responses[200];

async function run(responses: Parameters<typeof aStubApi>[0], ...args: string[]) {
  const api = await aStubApi(responses);
  return runCli(args, { baseUrl: api.origin });
}

it('deliveries shows start, outcome and error of each attempt', async () => {
  const [failed] = example.deliveries;
  const { latencyMs: _, status: __, error: ___, ...rest } = failed ?? {};
  const pending = { ...rest, attempt: 2, state: 'pending', startedAt: '2026-03-01T12:01:00.902Z' };
  const body = { deliveries: [failed, pending] };
  const { exitCode, out } = await run({ [`GET ${path}`]: { status: 200, body } }, 'deliveries', jobId);
  const [, first = '', second = ''] = out.split('\n').map((line) => line.split(/ {2,}/));
  const target = 'https://example.com/webhooks/media';
  const reason = 'example.com answered 503 Service Unavailable';
  expect(first).toEqual(['2026-03-01T12:01:00.310Z', '1', 'failed', '503', '92 ms', target, reason]);
  expect(second).toEqual(['2026-03-01T12:01:00.902Z', '2', 'pending', target]);
  expect(exitCode).toBe(0);
});

it('deliveries removes terminal control characters from the response of a target', async () => {
  const deliveries = example.deliveries.map((one) => ({ ...one, error: 'answered \u001b[2J503\r\nok' }));
  const response = { status: 200, body: { deliveries } };
  const { out } = await run({ [`GET ${path}`]: response }, 'deliveries', jobId);
  expect(out).toMatch(/ {2}answered 503 ok\n$/);
});

it('deliveries explains when a webhook is sent if there is none', async () => {
  const response = { status: 200, body: { deliveries: [] } };
  const { out } = await run({ [`GET ${path}`]: response }, 'deliveries', jobId);
  expect(out).toMatch(/^No webhook was sent in the last 30 days\. A webhook is sent when a job ends/);
});

it('deliveries --json prints the response of the API', async () => {
  const response = { status: 200, body: example };
  const { out } = await run({ [`GET ${path}`]: response }, 'deliveries', jobId, '--json');
  expect(JSON.parse(out)).toEqual(example);
});

it('redeliver writes only the delivery id to standard output', async () => {
  const body = redeliverJobContract.responses[202].example;
  const { exitCode, out, err } = await run({ [`POST ${path}`]: { status: 202, body } }, 'redeliver', jobId);
  expect([exitCode, out]).toEqual([0, `${body.deliveryId}\n`]);
  expect(err).toBe(`List its attempts: media-jobs deliveries ${jobId}\n`);
});

it.each([
  ['JOB_NOT_TERMINAL', 409, 4],
  ['WEBHOOK_NOT_CONFIGURED', 400, 2],
])('redeliver that gets %s (%i) exits with %i', async (code, status, expected) => {
  const body = { error: { code, message: 'Rejected.', retryable: false, requestId: 'request-1' } };
  const { exitCode, out, err } = await run({ [`POST ${path}`]: { status, body } }, 'redeliver', jobId);
  expect([exitCode, out, err]).toEqual([expected, '', 'Rejected.\n(request request-1)\n']);
});
