import { describe, expect, it } from 'vitest';
import { guardCondition } from '../../../adapters/dynamodb/guard-condition.ts';
import { holds } from '../../../core/jobs/guard.ts';
import { aFailedJob, settled } from '../../builders/ended-jobs.ts';
import { aProcessingJob, aQueuedJob } from '../../builders/jobs.ts';

describe('a guard', () => {
  it('of absence holds where nothing is stored, and only there', () => {
    expect(holds({ absent: true }, undefined)).toBe(true);
    expect(holds({ absent: true }, aQueuedJob())).toBe(false);
  });

  it('of presence never holds where nothing is stored', () => {
    expect(holds({ state: 'queued' }, undefined)).toBe(false);
    expect(holds({ leaseId: 'lease-1' }, undefined)).toBe(false);
    expect(holds({ deliveryId: 'delivery-1' }, undefined)).toBe(false);
  });

  it('demands every field that it names', () => {
    const { dueAt } = aQueuedJob();
    expect(holds({ state: 'queued', dueAt }, aQueuedJob())).toBe(true);
    expect(holds({ state: 'processing', dueAt }, aQueuedJob())).toBe(false);
    expect(holds({ state: 'queued', dueAt: '2026-03-01T12:05:00.001Z' }, aQueuedJob())).toBe(false);
  });

  it('demands the absence of a field by null', () => {
    const over = settled(aFailedJob(), 'delivered');
    expect(holds({ state: 'failed', deliveryId: null }, over)).toBe(true);
    expect(holds({ state: 'failed', deliveryId: null }, aFailedJob())).toBe(false);
    expect(holds({ state: 'failed', dueAt: null }, over)).toBe(true);
    expect(holds({ state: 'failed', dueAt: null }, aFailedJob())).toBe(false);
  });

  it('does not care about a field that it does not name', () => {
    expect(holds({ leaseId: 'lease-1' }, { ...aProcessingJob(), progress: 77 })).toBe(true);
  });

  it('is one conjunction in DynamoDB, so that no term can be forgotten', () => {
    expect(guardCondition({ state: 'failed', dueAt: '2026-03-01T12:00:00.000Z', deliveryId: null })).toEqual({
      ConditionExpression:
        '#state = :state AND #dueAt = :dueAt AND attribute_not_exists(#pendingDelivery.#id)',
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
