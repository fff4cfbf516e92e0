import { describe, expect, it } from 'vitest';
import { guardCondition } from '../../../adapters/dynamodb/job-item.ts';
import { guardHolds } from '../../../lab/simulation/memory/guard-holds.ts';
import { aFailedJob, withSettledDelivery } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob, aQueuedJob } from '../../builders/jobs/jobs.ts';

describe('a guard', () => {
  it('of absence holds only if nothing is stored', () => {
    expect(guardHolds({ absent: true }, undefined)).toBe(true);
    expect(guardHolds({ absent: true }, aQueuedJob())).toBe(false);
  });

  it('of presence never holds if nothing is stored', () => {
    expect(guardHolds({ state: 'queued' }, undefined)).toBe(false);
    expect(guardHolds({ leaseId: 'lease-1' }, undefined)).toBe(false);
    expect(guardHolds({ deliveryId: 'delivery-1' }, undefined)).toBe(false);
  });

  it('demands every field that it names', () => {
    const { dueAt } = aQueuedJob();
    expect(guardHolds({ state: 'queued', dueAt }, aQueuedJob())).toBe(true);
    expect(guardHolds({ state: 'processing', dueAt }, aQueuedJob())).toBe(false);
    expect(guardHolds({ state: 'queued', dueAt: '2026-03-01T12:05:00.001Z' }, aQueuedJob())).toBe(false);
  });

  it('demands with null that a field is absent', () => {
    const over = withSettledDelivery(aFailedJob(), 'delivered');
    expect(guardHolds({ state: 'failed', deliveryId: null }, over)).toBe(true);
    expect(guardHolds({ state: 'failed', deliveryId: null }, aFailedJob())).toBe(false);
    expect(guardHolds({ state: 'failed', dueAt: null }, over)).toBe(true);
    expect(guardHolds({ state: 'failed', dueAt: null }, aFailedJob())).toBe(false);
  });

  it('demands absence also of a field that it leaves undefined', () => {
    expect(guardHolds({ state: 'failed', dueAt: undefined }, aFailedJob())).toBe(false);
    const { ConditionExpression } = guardCondition({ state: 'failed', dueAt: undefined });
    expect(ConditionExpression).toBe('#state = :state AND attribute_not_exists(#dueAt)');
  });

  it('ignores fields that it does not name', () => {
    expect(guardHolds({ leaseId: 'lease-1' }, { ...aProcessingJob(), progress: 77 })).toBe(true);
  });

  it('is one conjunction in DynamoDB, with a term for each field', () => {
    expect(guardCondition({ state: 'failed', dueAt: '2026-03-01T12:00:00.000Z', deliveryId: null })).toEqual({
      ConditionExpression: '#state = :state AND #dueAt = :dueAt AND attribute_not_exists(#pendingDelivery.#id)',
      ExpressionAttributeNames: {
        '#state': 'state',
        '#dueAt': 'dueAt',
        '#pendingDelivery': 'pendingDelivery',
        '#id': 'id',
      },
      ExpressionAttributeValues: { ':state': { S: 'failed' }, ':dueAt': { S: '2026-03-01T12:00:00.000Z' } },
    });
  });
});
