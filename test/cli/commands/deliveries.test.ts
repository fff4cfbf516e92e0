import { describe, expect, it } from 'vitest';
import { listDeliveriesContract, redeliverJobContract } from '../../../core/api/deliveries.ts';
import { queuedJobExample } from '../../../core/api/job-examples.ts';
import { runCli } from '../../builders/cli/run-cli.ts';
import { aStubApi } from '../../builders/http/a-stub-api.ts';

const { jobId } = queuedJobExample;
const place = `/api/v1/jobs/${jobId}/deliveries`;
const { example } = listDeliveriesContract.responses[200];

async function run(answers: Parameters<typeof aStubApi>[0], ...words: string[]) {
  const api = await aStubApi(answers);
  return runCli(words, { baseUrl: api.origin }).finally(api.close);
}

describe('deliveries', () => {
  it('tells when each attempt began, what came of it, and why it failed', async () => {
    const [failed] = example.deliveries;
    const { latencyMs: _, status: __, error: ___, ...rest } = failed ?? {};
    const pending = { ...rest, attempt: 2, state: 'pending', startedAt: '2026-03-01T12:01:00.902Z' };
    const body = { deliveries: [failed, pending] };
    const { exitCode, out } = await run({ [`GET ${place}`]: { status: 200, body } }, 'deliveries', jobId);
    const [, first = '', second = ''] = out.split('\n').map((line) => line.split(/ {2,}/));
    const target = 'https://example.com/webhooks/media';
    const reason = 'example.com answered 503 Service Unavailable';
    expect(first).toEqual(['2026-03-01T12:01:00.310Z', '1', 'failed', '503', '92 ms', target, reason]);
    expect(second).toEqual(['2026-03-01T12:01:00.902Z', '2', 'pending', target]);
    expect(exitCode).toBe(0);
  });

  it('has no orders for the terminal in what it says of a target', async () => {
    const deliveries = example.deliveries.map((one) => ({ ...one, error: 'answered \u001b[2J503\r\nok' }));
    const answer = { status: 200, body: { deliveries } };
    const { out } = await run({ [`GET ${place}`]: answer }, 'deliveries', jobId);
    expect(out).toMatch(/ {2}answered 503 ok\n$/);
  });

  it('says when there would be some where there are none', async () => {
    const answer = { status: 200, body: { deliveries: [] } };
    const { out } = await run({ [`GET ${place}`]: answer }, 'deliveries', jobId);
    expect(out).toMatch(/^No webhook was sent in the last 30 days: one is when a job ends/);
  });

  it('is the document of the API as JSON', async () => {
    const answer = { status: 200, body: example };
    const { out } = await run({ [`GET ${place}`]: answer }, 'deliveries', jobId, '--json');
    expect(JSON.parse(out)).toEqual(example);
  });
});

describe('redeliver', () => {
  it('writes nothing but the id of the delivery to standard output', async () => {
    const body = redeliverJobContract.responses[202].example;
    const { exitCode, out, err } = await run(
      { [`POST ${place}`]: { status: 202, body } },
      'redeliver',
      jobId,
    );
    expect([exitCode, out]).toEqual([0, `${body.deliveryId}\n`]);
    expect(err).toBe(`See its attempts: media-jobs deliveries ${jobId}\n`);
  });

  it.each([
    ['JOB_NOT_TERMINAL', 409, 4],
    ['WEBHOOK_NOT_CONFIGURED', 400, 2],
  ])('that is refused with %s, a %i, ends with %i', async (code, status, expected) => {
    const body = { error: { code, message: 'So it is.', retryable: false, requestId: 'request-1' } };
    const { exitCode, out, err } = await run({ [`POST ${place}`]: { status, body } }, 'redeliver', jobId);
    expect([exitCode, out, err]).toEqual([expected, '', 'So it is.\n(request request-1)\n']);
  });
});
