import { expect, it } from 'vitest';
import type { TerminalJob } from '../../../core/jobs/record.ts';
import type { PostOutcome } from '../../../core/net/post-outcome.ts';
import { deliverWebhook } from '../../../functions/deliver-webhook/app.ts';
import { aFailedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';
import { aDeliveryStage } from './delivery-stage.ts';

const timedOut: PostOutcome = {
  ok: false,
  errorClass: 'timeout',
  error: 'receiver.example did not answer within 10 s',
  latencyMs: 10_000,
  responseBody: '',
};
const accepted: PostOutcome = { ok: true, status: 204, latencyMs: 20, responseBody: '' };

/** Jobs of an owner, each with a pending delivery. */
function jobsOf(ownerId: string, count: number, firstId: number): TerminalJob[] {
  return Array.from({ length: count }, (_, n) => ({
    ...aFailedJob({ webhookTarget: `https://${ownerId}.example/hook` }),
    ownerId,
    jobId: aJobId(firstId + n),
    pendingDelivery: { id: `${ownerId}-${n}`, starts: 0, redelivery: false },
  }));
}

/** A stage on which the receivers of `hangs` answer when `answer` is called, and others at once. */
async function aStageWithHangingReceivers() {
  const hanging = jobsOf('hangs', 20, 1);
  const others = jobsOf('answers', 5, 100);
  const [first = aFailedJob(), ...rest] = [...hanging, ...others];
  const stage = await aDeliveryStage({ job: first });
  for (const job of rest) await stage.jobs.write({ job, guard: { absent: true } });
  const open: (() => void)[] = [];
  const posts: string[] = [];
  const deliver = deliverWebhook({
    ...stage.ports,
    post: ({ url }) => {
      posts.push(new URL(url).hostname);
      if (!url.startsWith('https://hangs')) return Promise.resolve(accepted);
      return new Promise((resolve) => open.push(() => resolve(timedOut)));
    },
  });
  const attempt = ({ ownerId, jobId, pendingDelivery }: TerminalJob, n = 1) =>
    deliver({ ownerId, jobId, deliveryId: pendingDelivery?.id ?? '', attempt: n, notBefore: 0 });
  const untilPosted = async (count: number) => {
    while (open.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const answerAll = () => {
    for (const answer of open.splice(0)) answer();
  };
  return { ...stage, hanging, others, posts, attempt, untilPosted, answerAll };
}

it("after a time-out, two of an owner's deliveries run at once, and another owner's are not deferred", async () => {
  const { hanging, others, posts, jobs, attempt, untilPosted, answerAll, clock } =
    await aStageWithHangingReceivers();
  const [first = aFailedJob(), ...rest] = hanging;
  const begun = attempt(first);
  await untilPosted(1);
  answerAll();
  expect(await begun).toMatchObject({ status: 'retry', attempt: 2 });

  posts.splice(0);
  const running = rest.map((job) => attempt(job));
  await untilPosted(2);
  const results = await Promise.all(others.map((job) => attempt(job)));
  expect(results.map(({ status }) => status)).toEqual(others.map(() => 'settled'));
  expect(posts.filter((host) => host === 'hangs.example')).toHaveLength(2);

  answerAll();
  const statuses = (await Promise.all(running)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'retry')).toHaveLength(2);
  expect(statuses.filter((status) => status === 'done')).toHaveLength(17);
  const deferred = rest[statuses.indexOf('done')] ?? first;
  expect(await jobs.get(deferred)).toMatchObject({
    pendingDelivery: deferred.pendingDelivery,
    dueAt: new Date(clock.now().getTime() + 30_000).toISOString(),
  });
});

it('a delivery that has begun keeps the times of its attempts, even if others have all slots', async () => {
  const { hanging, attempt, untilPosted, answerAll } = await aStageWithHangingReceivers();
  const [first = aFailedJob(), second = first, third = first] = hanging;
  const begun = attempt(first);
  await untilPosted(1);
  answerAll();
  await begun;
  const running = [attempt(second), attempt(third)];
  await untilPosted(2);
  const next = attempt(first, 2);
  await untilPosted(3);
  answerAll();
  expect(await next).toMatchObject({ status: 'retry', attempt: 3 });
  await Promise.all(running);
});

it.each([
  ['1 s each are slow', 1_000, true],
  ['0.9 s each are not', 900, false],
])('two failed attempts of a delivery count together: %s', async (_, latencyMs, isSlow) => {
  const [job = aFailedJob()] = jobsOf('fails', 1, 1);
  const stage = await aDeliveryStage({ job });
  const deliver = deliverWebhook({ ...stage.ports, post: async () => ({ ...timedOut, latencyMs }) });
  const { ownerId, jobId, pendingDelivery } = job;
  for (const attempt of [1, 2, 3]) {
    await deliver({ ownerId, jobId, deliveryId: pendingDelivery?.id ?? '', attempt, notBefore: 0 });
    const { slowReceiversUntil } = await stage.ports.settings.get(ownerId);
    expect(slowReceiversUntil !== undefined).toBe(isSlow && attempt > 1);
  }
});

it('a failed attempt does not count with the one that succeeds', async () => {
  const [job = aFailedJob()] = jobsOf('recovers', 1, 1);
  const stage = await aDeliveryStage({ job });
  const outcomes: PostOutcome[] = [
    { ...timedOut, latencyMs: 1_500 },
    { ...accepted, latencyMs: 1_500 },
  ];
  const deliver = deliverWebhook({ ...stage.ports, post: async () => outcomes.shift() ?? accepted });
  const { ownerId, jobId, pendingDelivery } = job;
  const input = { ownerId, jobId, deliveryId: pendingDelivery?.id ?? '', notBefore: 0 };
  for (const attempt of [1, 2]) await deliver({ ...input, attempt });
  expect(outcomes).toEqual([]);
  expect((await stage.ports.settings.get(ownerId)).slowReceiversUntil).toBeUndefined();
});

it('a slow 2xx settles the delivery although its receiver could not be marked', async () => {
  const [job = aFailedJob()] = jobsOf('is-slow', 1, 1);
  const stage = await aDeliveryStage({ job });
  const failures: unknown[] = [];
  const throttled = new Error('The table throttles');
  const deliver = deliverWebhook({
    ...stage.ports,
    post: async () => ({ ...accepted, latencyMs: 3_000 }),
    settings: { ...stage.ports.settings, markSlowReceivers: () => Promise.reject(throttled) },
    onMarkFailed: (cause) => failures.push(cause),
  });
  const { ownerId, jobId, pendingDelivery } = job;
  await deliver({ ownerId, jobId, deliveryId: pendingDelivery?.id ?? '', attempt: 1, notBefore: 0 });
  expect(failures).toEqual([throttled]);
  expect(await stage.ports.jobs.get(job)).toMatchObject({ deliveryOutcome: 'delivered' });
});

it('an attempt whose function crashed does not count as slow', async () => {
  const [job = aFailedJob()] = jobsOf('crashes', 1, 1);
  const stage = await aDeliveryStage({ job });
  const { ownerId, jobId, pendingDelivery } = job;
  const input = { ownerId, jobId, deliveryId: pendingDelivery?.id ?? '', notBefore: 0 };
  const crash = deliverWebhook({ ...stage.ports, post: () => Promise.reject(new Error('crash')) });
  await expect(crash({ ...input, attempt: 1 })).rejects.toThrow('crash');
  stage.clock.pass(60_000);
  const fails = async () => ({ ...timedOut, latencyMs: 20 });
  await deliverWebhook({ ...stage.ports, post: fails })({ ...input, attempt: 2 });
  expect((await stage.ports.settings.get(ownerId)).slowReceiversUntil).toBeUndefined();
});

it('an owner whose receivers respond again is not limited after ten minutes', async () => {
  const { hanging, attempt, untilPosted, answerAll, clock } = await aStageWithHangingReceivers();
  const [first = aFailedJob(), ...rest] = hanging;
  const begun = attempt(first);
  await untilPosted(1);
  answerAll();
  await begun;
  clock.pass(10 * 60_000);
  const running = rest.map((job) => attempt(job));
  await untilPosted(rest.length);
  answerAll();
  await Promise.all(running);
});
