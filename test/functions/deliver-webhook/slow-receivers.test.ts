import { expect, it } from 'vitest';
import type { TerminalJob } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import type { PostOutcome } from '../../../core/net/ports.ts';
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

/** Jobs of an owner with a pending delivery to each host. */
function jobsOf(ownerId: string, hosts: readonly string[], firstId: number): TerminalJob[] {
  return hosts.map((host, n) => ({
    ...aFailedJob({ webhookTarget: `https://${host}/hook` }),
    ownerId,
    jobId: aJobId(firstId + n),
    pendingDelivery: { id: `${ownerId}-${firstId + n}`, starts: 0, redelivery: false },
  }));
}

const repeated = (host: string, count: number) => Array.from({ length: count }, () => host);

/** A stage with receivers of one owner that respond when `answerAll` is called, and one that responds at once. */
async function aStageWithHangingReceivers() {
  const hanging = jobsOf('owner', repeated('hangs.example', 10), 1);
  const alsoHanging = jobsOf('owner', repeated('hangs-too.example', 10), 11);
  const good = jobsOf('owner', repeated('good.example', 5), 101);
  const [first = aFailedJob(), ...rest] = [...hanging, ...alsoHanging, ...good];
  const stage = await aDeliveryStage({ job: first });
  for (const job of rest) await stage.jobs.write({ job, guard: { absent: true } });
  const open: (() => void)[] = [];
  const posts: string[] = [];
  const deliver = deliverWebhook({
    ...stage.ports,
    post: ({ url }) => {
      const { hostname } = new URL(url);
      posts.push(hostname);
      if (hostname === 'good.example') return Promise.resolve(accepted);
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
  /** Lets the first delivery to each origin time out, so that both are slow. */
  const slowDown = async () => {
    const begun = [hanging[0], alsoHanging[0]].map((job = first) => attempt(job));
    await untilPosted(2);
    answerAll();
    await Promise.all(begun);
    posts.splice(0);
  };
  return { ...stage, hanging, alsoHanging, good, posts, attempt, untilPosted, answerAll, slowDown };
}

it('one delivery to each of two slow origins runs at once, and none to another origin of the owner is deferred', async () => {
  const { hanging, alsoHanging, good, posts, jobs, attempt, clock, ...stage } = await aStageWithHangingReceivers();
  await stage.slowDown();
  const slow = [...hanging.slice(1), ...alsoHanging.slice(1)];
  const running = slow.map((job) => attempt(job));
  await stage.untilPosted(2);
  const results = await Promise.all(good.map((job) => attempt(job)));
  expect(results.map(({ status }) => status)).toEqual(good.map(() => 'settled'));
  stage.answerAll();
  const statuses = (await Promise.all(running)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'retry')).toHaveLength(2);
  const toSlow = posts.filter((host) => host !== 'good.example').toSorted();
  expect(toSlow).toEqual(['hangs-too.example', 'hangs.example']);
  const deferred = slow[statuses.indexOf('done')] ?? aFailedJob();
  expect(await jobs.get(deferred)).toMatchObject({
    pendingDelivery: deferred.pendingDelivery,
    dueAt: new Date(clock.now().getTime() + (30_000 + 600_000) / 2).toISOString(),
  });
});

it('the end of a delivery to a slow origin starts the next one, which then begins', async () => {
  const { hanging, attempt, sent, posts, ...stage } = await aStageWithHangingReceivers();
  await stage.slowDown();
  const [, running = aFailedJob(), waiting = aFailedJob(), last = aFailedJob()] = hanging;
  const attemptOf = async (job: TerminalJob, n: number) => {
    const made = attempt(job, n);
    await stage.untilPosted(1);
    const end = () => {
      stage.answerAll();
      return made;
    };
    return { end };
  };
  const first = await attemptOf(running, 1);
  for (const job of [waiting, last]) expect(await attempt(job)).toEqual({ status: 'done' });
  await first.end();
  await (await attemptOf(running, 2)).end();
  expect(sent).toEqual([]);
  await (await attemptOf(running, 3)).end();
  expect(sent.map(({ jobId }) => jobId)).toEqual([waiting.jobId]);
  posts.splice(0);
  expect(await attempt(last)).toEqual({ status: 'done' });
  const woken = await attemptOf(waiting, 1);
  expect(posts).toEqual(['hangs.example']);
  await woken.end();
});

it('a waiting delivery that needs no attempt any more starts the next one', async () => {
  const { hanging, attempt, sent, jobs, clock, ...stage } = await aStageWithHangingReceivers();
  await stage.slowDown();
  const [, running = aFailedJob(), waiting = aFailedJob(), last = aFailedJob()] = hanging;
  const first = attempt(running);
  await stage.untilPosted(1);
  for (const job of [waiting, last]) await attempt(job);
  stage.answerAll();
  await first;
  for (const job of [running, waiting]) {
    await jobs.write(deleteJob((await jobs.get(job)) as TerminalJob, clock.now()));
    await attempt(job);
  }
  expect(sent.map(({ jobId }) => jobId)).toEqual([waiting.jobId, last.jobId]);
});

it('a delivery that has begun keeps the times of its attempts, even if its origin is at its limit', async () => {
  const { hanging, attempt, ...stage } = await aStageWithHangingReceivers();
  await stage.slowDown();
  const [first = aFailedJob(), second = first] = hanging;
  const running = attempt(second);
  await stage.untilPosted(1);
  const next = attempt(first, 2);
  await stage.untilPosted(2);
  stage.answerAll();
  expect(await next).toMatchObject({ status: 'retry', attempt: 3 });
  await running;
});

it.each([
  ['1 s each are slow', 1_000, true],
  ['0.9 s each are not', 900, false],
])('two failed attempts of a delivery count together: %s', async (_, latencyMs, isSlow) => {
  const [job = aFailedJob()] = jobsOf('fails', ['receiver.example'], 1);
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
  const [job = aFailedJob()] = jobsOf('recovers', ['receiver.example'], 1);
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
  const [job = aFailedJob()] = jobsOf('is-slow', ['receiver.example'], 1);
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
  const [job = aFailedJob()] = jobsOf('crashes', ['receiver.example'], 1);
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

it('an origin that responds again is not limited after ten minutes', async () => {
  const { hanging, attempt, clock, ...stage } = await aStageWithHangingReceivers();
  await stage.slowDown();
  clock.pass(10 * 60_000);
  const running = hanging.slice(1).map((job) => attempt(job));
  await stage.untilPosted(running.length);
  stage.answerAll();
  await Promise.all(running);
});
