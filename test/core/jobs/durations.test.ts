import { expect, it } from 'vitest';
import { durations } from '../../../core/jobs/durations.ts';
import { webhookLimits } from '../../../core/webhooks/delivery.ts';

it('a worker can miss several heartbeats before its lease expires', () => {
  expect(durations.leaseMs / durations.heartbeatMs).toBeGreaterThanOrEqual(10);
});

it('a sweep comes after 15 minutes, the maximum timeout of a Lambda function', () => {
  expect(durations.sweepAfterClaimMs).toBeGreaterThan(15 * 60_000);
});

it('reconcile resumes a delivery long after an attempt must have ended', () => {
  expect(durations.deliveryAttemptMs).toBeGreaterThan(3 * webhookLimits.totalMs);
});
