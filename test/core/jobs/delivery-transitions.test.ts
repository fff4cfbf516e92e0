import { describe, expect, it } from 'vitest';
import {
  isEarlyAttempt,
  recordDeliveryAttempt,
  redeliver,
  resumeDelivery,
  settleDelivery,
} from '../../../core/jobs/delivery-transitions.ts';
import { markSwept } from '../../../core/jobs/removal-transitions.ts';
import { guardHolds } from '../../../lab/simulation/memory/guard-holds.ts';
import { aFailedJob, withSettledDelivery } from '../../builders/jobs/ended-jobs.ts';

const minute = 60_000;
const endedAt = Date.parse(aFailedJob().completedAt);
const sinceEnd = (milliseconds: number) => new Date(endedAt + milliseconds);
const at = (milliseconds: number) => sinceEnd(milliseconds).toISOString();
const sweepAt = at(15 * minute);

describe('a pending delivery', () => {
  const job = aFailedJob({ sweepAt });

  it('is due a minute after an attempt began, plus the wait before the next', () => {
    const recorded = recordDeliveryAttempt(job, {
      deliveryId: 'delivery-1',
      nextDelayMs: 500,
      now: sinceEnd(5_000),
    }).job;
    expect(recorded.dueAt).toBe(at(5_000 + minute + 500));
  });

  it('has an early attempt while 30 s and the wait before the next attempt are left', () => {
    const due = { ...job, dueAt: at(minute) };
    const isEarlyAt = (milliseconds: number) => isEarlyAttempt(due, { nextDelayMs: 500, now: sinceEnd(milliseconds) });
    expect([0, 29_500, 29_501, 2 * minute].map(isEarlyAt)).toEqual([true, true, false, false]);
  });

  it('is not postponed by an attempt over a record that has changed', () => {
    const resumed = resumeDelivery(job, sinceEnd(20_000)).job;
    const late = recordDeliveryAttempt(job, { deliveryId: 'delivery-1', nextDelayMs: 0, now: sinceEnd(5_000) });
    expect(guardHolds(late.guard, resumed)).toBe(false);
  });

  it('is resumed under the next number each time, with waits that double up to an hour', () => {
    let resumed = job;
    const waits = Array.from({ length: 8 }, (_, n) => {
      resumed = resumeDelivery(resumed, sinceEnd(n * 60 * minute)).job as typeof job;
      return (Date.parse(resumed.dueAt ?? '') - sinceEnd(n * 60 * minute).getTime()) / minute;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(resumed.pendingDelivery?.starts).toBe(8);
  });

  it('ends with its outcome; the sweep stays due', () => {
    const { job: over } = settleDelivery(job, 'delivery-1', 'delivered');
    expect(over).toMatchObject({ deliveryOutcome: 'delivered', dueAt: sweepAt });
    expect(over).not.toHaveProperty('pendingDelivery');
  });

  it('leaves nothing due if there is nothing to sweep', () => {
    expect(settleDelivery(aFailedJob(), 'delivery-1', 'delivered').job).not.toHaveProperty('dueAt');
  });

  it('cannot be resumed once it is settled', () => {
    expect(() => resumeDelivery(withSettledDelivery(job, 'delivered'), sinceEnd(0))).toThrow('no pending delivery');
  });
});

describe('a redelivery', () => {
  const request = { now: sinceEnd(minute), webhookTarget: 'https://new.example/', deliveryId: 'delivery-2' };

  it('is pending under a new id, to the current target', () => {
    expect(redeliver(withSettledDelivery(aFailedJob(), 'abandoned'), request).job).toMatchObject({
      webhookTarget: 'https://new.example/',
      pendingDelivery: { id: 'delivery-2', starts: 0, redelivery: true },
      dueAt: at(2 * minute),
    });
  });

  it('is rejected while another delivery is pending', () => {
    const job = withSettledDelivery(aFailedJob(), 'abandoned');
    expect(guardHolds(redeliver(job, request).guard, aFailedJob())).toBe(false);
  });

  it('replaces a first delivery without a target, so that the event is still published once', () => {
    const { job, guard } = redeliver(aFailedJob({ webhookTarget: null }), request);
    expect(job.pendingDelivery).toEqual({ id: 'delivery-2', starts: 0, redelivery: false });
    expect(guardHolds(guard, aFailedJob())).toBe(true);
  });

  it('wins over a sweep of the version before it, and the sweep stays due', () => {
    const due = { ...withSettledDelivery(aFailedJob({ sweepAt }), 'abandoned'), dueAt: sweepAt };
    const again = redeliver(due, request).job;
    expect(guardHolds(markSwept(due, sinceEnd(0)).guard, again)).toBe(false);
    expect(settleDelivery(again, 'delivery-2', 'delivered').job.dueAt).toBe(sweepAt);
  });
});
