import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { resumeDelivery } from '../../../core/jobs/delivery-transitions.ts';
import type { TerminalJob } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { busEvent, type DeliveryAttempt, lostOutcome } from '../../../core/webhooks/delivery.ts';
import { deliverWebhook } from '../../../functions/deliver-webhook/app.ts';
import { anHttpServer } from '../../adapters/http/builders/servers.ts';
import { aDeliveryAttempt } from '../../builders/jobs/a-delivery-attempt.ts';
import { aCompletedJob, aFailedJob } from '../../builders/jobs/ended-jobs.ts';
import { aDeliveryStage } from './delivery-stage.ts';

type Received = { headers: IncomingMessage['headers']; body: string };

/** A delivery stage whose receiver answers with these statuses in turn, then always with the last one. */
async function aReceiver(statuses: number[], { job = aFailedJob() }: { job?: TerminalJob } = {}) {
  const received: Received[] = [];
  let beforeAnswer = async (): Promise<void> => undefined;
  const port = await anHttpServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    await beforeAnswer();
    const status = statuses[received.length - 1] ?? statuses.at(-1) ?? 200;
    response.writeHead(status).end(status === 500 ? 'a stack trace' : undefined);
  });
  const stage = await aDeliveryStage({ job: { ...job, webhookTarget: `http://127.0.0.1:${port}/hook` } });
  /** Does something while the receiver handles a POST. */
  const onPost = (work: () => Promise<void>) => {
    beforeAnswer = work;
  };
  return { ...stage, received, onPost };
}

describe('a delivery', () => {
  it('ends with the first 2xx, and publishes the event', async () => {
    const { deliver, received, record, published } = await aReceiver([204]);
    expect(await deliver()).toEqual({ status: 'settled' });
    expect(published).toEqual([busEvent(aFailedJob())]);
    expect(received).toHaveLength(1);
    const job = await record();
    expect(job).toMatchObject({ deliveryOutcome: 'delivered' });
    expect(job).not.toHaveProperty('pendingDelivery');
    expect(job).not.toHaveProperty('dueAt');
  });

  it('records the outcome of its first delivery in the write that settles it, and leaves the journal open', async () => {
    const { deliver, attempts, record } = await aReceiver([500, 204]);
    await deliver();
    const [failed, delivered] = await attempts();
    expect(failed?.outcome).toMatchObject({
      ...{ delivered: false, status: 500, errorClass: 'http-status', responseBody: 'a stack trace' },
      error: expect.any(String),
    });
    expect(delivered).not.toHaveProperty('outcome');
    expect(await record()).toMatchObject({
      deliveryOutcome: 'delivered',
      deliveredAttempt: { deliveryId: 'delivery-1', attempt: 2, outcome: { delivered: true, status: 204 } },
    });
  });

  it('closes the attempt of a redelivery in the journal', async () => {
    const pendingDelivery = { id: 'delivery-2', starts: 0, redelivery: true };
    const { deliver, attempts, record } = await aReceiver([204], {
      job: { ...aFailedJob(), pendingDelivery },
    });
    await deliver();
    expect(await attempts()).toMatchObject([{ outcome: { delivered: true } }]);
    expect(await record()).not.toHaveProperty('deliveredAttempt');
  });

  describe('that reconcile has resumed during an attempt', () => {
    const moved = async ({ jobs, record }: Awaited<ReturnType<typeof aReceiver>>, work: () => Promise<void>) => {
      const job = (await record()) as TerminalJob;
      await jobs.write(resumeDelivery(job, new Date()));
      await work();
    };

    it('is recorded by the journal', async () => {
      const stage = await aReceiver([204]);
      stage.onPost(() => moved(stage, async () => undefined));
      expect(await stage.attempt(1)).toEqual({ status: 'settled' });
      expect(await stage.attempts()).toMatchObject([{ outcome: { delivered: true, status: 204 } }]);
      expect(await stage.record()).toMatchObject({ deliveryOutcome: 'delivered' });
    });

    it('is not recorded once the attempt counts as lost', async () => {
      const stage = await aReceiver([204]);
      stage.onPost(() =>
        moved(stage, async () => {
          const [opened] = await stage.attempts();
          if (opened) await stage.journal.close({ ...opened, outcome: lostOutcome(opened, new Date()) });
        }),
      );
      expect(await stage.attempt(1)).toEqual({ status: 'done' });
      const job = await stage.record();
      expect(job).toHaveProperty('pendingDelivery');
      expect(job).not.toHaveProperty('deliveredAttempt');
    });
  });

  it('is abandoned after three failed attempts, still publishes the event, and never makes a fourth POST', async () => {
    const { deliver, attempt, received, record, attempts, published } = await aReceiver([500]);
    expect(await deliver()).toEqual({ status: 'settled' });
    expect(published).toMatchObject([{ detailType: 'Job Failed' }]);
    expect(received).toHaveLength(3);
    expect((await attempts()).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const job = await record();
    expect(job).toMatchObject({ deliveryOutcome: 'abandoned' });
    expect(job).not.toHaveProperty('dueAt');
    for (const n of [4, 1]) expect(await attempt(n)).toEqual({ status: 'done' });
    expect(received).toHaveLength(3);
  });

  it('that a redelivery has replaced makes no POST', async () => {
    // Due later than the attempt ends, so nothing is written before the POST.
    const job = aFailedJob({ dueAt: new Date(Date.now() + 60_000).toISOString() });
    const { ports, received, record } = await aReceiver([204], { job });
    const { ownerId, jobId } = job;
    const replaced = { ownerId, jobId, deliveryId: 'delivery-0' };
    const result = await deliverWebhook(ports)({ ...replaced, attempt: 1, notBefore: 0 });
    expect([result.status, received]).toEqual(['done', []]);
    expect(await record()).toHaveProperty('pendingDelivery');
  });

  it('waits 500 ms and 1 s from the end of an attempt to the next POST, and no longer', async () => {
    const stage = await aReceiver([500]);
    const { post } = stage.ports;
    const times: number[] = [];
    stage.ports.post = async (request) => {
      times.push(stage.clock.now().getTime());
      const outcome = await post(request);
      stage.clock.pass(40);
      return outcome;
    };
    await stage.deliver();
    const [first = 0, second = 0, third = 0] = times;
    expect([second - (first + 40), third - (second + 40)]).toEqual([501, 1001]);
  });

  it('has its attempt in the journal before the POST', async () => {
    const stage = await aReceiver([200]);
    const { post } = stage.ports;
    let seenByReceiver: DeliveryAttempt[] = [];
    stage.ports.post = async (request) => {
      seenByReceiver = await stage.attempts();
      return post(request);
    };
    await stage.attempt();
    expect(seenByReceiver).toHaveLength(1);
    expect(seenByReceiver[0]).not.toHaveProperty('outcome');
  });

  it('that begins late is due a minute after the attempt, plus the wait before the next', async () => {
    const { attempt, clock, record } = await aReceiver([500]);
    const startedAt = clock.now().getTime();
    await attempt(1);
    expect((await record())?.dueAt).toBe(new Date(startedAt + 60_500).toISOString());
  });

  it('that begins in time stays due when it was, without a write', async () => {
    const dueAt = new Date(Date.now() + 60_000).toISOString();
    const { attempt, record } = await aReceiver([500], { job: aFailedJob({ dueAt }) });
    const before = await record();
    await attempt(1);
    expect(await record()).toEqual(before);
  });

  it('of a job without a target makes no POST, publishes the event and leaves nothing due', async () => {
    const stage = await aDeliveryStage({ job: aCompletedJob({ webhookTarget: null }) });
    expect(await stage.deliver()).toEqual({ status: 'settled' });
    expect(stage.published).toMatchObject([{ detailType: 'Job Completed' }]);
    expect(await stage.attempts()).toEqual([]);
    const job = await stage.record();
    expect(job).toMatchObject({ deliveryOutcome: 'none' });
    expect(job).not.toHaveProperty('dueAt');
  });

  it('that is repeated does not publish the event again', async () => {
    const pendingDelivery = { id: 'delivery-1', starts: 0, redelivery: true };
    const stage = await aReceiver([200], { job: aFailedJob({ pendingDelivery }) });
    expect(await stage.deliver()).toEqual({ status: 'settled' });
    expect(stage.received).toHaveLength(1);
    expect(stage.published).toEqual([]);
  });

  it('is settled although its event is rejected: publishing is best effort', async () => {
    const stage = await aReceiver([200]);
    const failures: unknown[] = [];
    stage.ports.eventBus = { publish: () => Promise.reject(new Error('EventBridge is not there')) };
    stage.ports.onPublishFailed = (cause) => failures.push(cause);
    expect(await stage.deliver()).toEqual({ status: 'settled' });
    expect(failures).toHaveLength(1);
    expect(await stage.record()).toMatchObject({ deliveryOutcome: 'delivered' });
  });

  it('of a job that was deleted meanwhile makes no POST', async () => {
    const { jobs, clock, attempt, received, record } = await aReceiver([200]);
    await jobs.write(deleteJob((await record()) as TerminalJob, clock.now()));
    expect(await attempt()).toEqual({ status: 'done' });
    expect(received).toEqual([]);
  });
});

describe('the message of a delivery', () => {
  it('starts no execution when the first attempt succeeds, and does nothing once the delivery is settled', async () => {
    const { begin, received, started, published } = await aReceiver([204]);
    expect(await begin()).toEqual({ status: 'settled' });
    expect(await begin()).toEqual({ status: 'done' });
    expect([received.length, published.length, started]).toEqual([1, 1, []]);
  });

  it('starts one execution for the second attempt when the first fails, under one name if the message comes twice', async () => {
    const { begin, clock, received, started } = await aReceiver([500]);
    const endsAt = clock.now().getTime();
    await begin();
    const { ownerId, jobId } = aFailedJob();
    const input = { ownerId, jobId, deliveryId: 'delivery-1', attempt: 2, notBefore: endsAt + 501, waitSeconds: 0 };
    expect(started).toEqual([{ name: 'wh-delivery-1-0', input }]);
    await begin();
    expect(received).toHaveLength(1);
    expect(new Set(started.map(({ name }) => name)).size).toBe(1);
  });
});

describe('a delivery whose function is invoked twice or crashes', () => {
  it('makes one POST for an attempt that two executions make concurrently', async () => {
    const { attempt, received, record } = await aReceiver([200]);
    await Promise.all([attempt(1), attempt(1)]);
    expect(received).toHaveLength(1);
    expect(await record()).toMatchObject({ deliveryOutcome: 'delivered' });
  });

  it('counts an attempt without an outcome as lost, and continues with the next', async () => {
    const { journal, attempt, attempts, received, record } = await aReceiver([200]);
    await journal.open(aDeliveryAttempt());
    expect(await attempt(2)).toMatchObject({ status: 'settled' });
    expect(received).toHaveLength(1);
    const [lost] = await attempts();
    expect(lost?.outcome).toMatchObject({ delivered: false, errorClass: 'LOST' });
    expect(await record()).toMatchObject({ deliveredAttempt: { attempt: 2, outcome: { delivered: true } } });
  });

  it('does not repeat an attempt that another function opened', async () => {
    const { journal, attempt, received } = await aReceiver([200]);
    await journal.open(aDeliveryAttempt());
    expect(await attempt(1)).toEqual({ status: 'done' });
    expect(received).toEqual([]);
  });

  it('makes no POST after a recorded 2xx; it only settles', async () => {
    const { journal, attempt, received, record } = await aReceiver([200]);
    const outcome = { delivered: true, status: 200, latencyMs: 5, endedAt: '2026-03-01T12:01:00.310Z' };
    await journal.open(aDeliveryAttempt());
    await journal.close(aDeliveryAttempt({ outcome }));
    expect(await attempt(2)).toMatchObject({ status: 'settled' });
    expect(received).toEqual([]);
    expect(await record()).toMatchObject({ deliveryOutcome: 'delivered' });
  });

  it('is abandoned without a fourth POST when the third attempt was lost', async () => {
    const { journal, attempt, received, record } = await aReceiver([200]);
    for (const attempt of [1, 2, 3]) await journal.open(aDeliveryAttempt({ attempt }));
    expect(await attempt(4)).toMatchObject({ status: 'settled' });
    expect(received).toEqual([]);
    expect(await record()).toMatchObject({ deliveryOutcome: 'abandoned' });
  });
});
