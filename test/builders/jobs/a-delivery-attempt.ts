import type { DeliveryAttempt } from '../../../core/webhooks/delivery.ts';
import { aFailedJob } from './ended-jobs.ts';

/** The first attempt to deliver the webhook of `aFailedJob`, without an outcome; `more` overrides its fields. */
export function aDeliveryAttempt(more: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  const { ownerId, jobId } = aFailedJob();
  return {
    ...{ ownerId, jobId, deliveryId: 'delivery-1', attempt: 1, writerId: 'writer-1' },
    ...{ startedAt: '2026-03-01T12:01:00.300Z', url: 'https://receiver.example/hook', expiresAt: 4_102_444_800 },
    ...more,
  };
}
