import { expect, it } from 'vitest';
import { addMs, durations } from '../../../core/jobs/durations.ts';
import { webhookLimits } from '../../../core/webhooks/delivery.ts';
import { later } from '../../builders/jobs/jobs.ts';

it('a worker can miss several heartbeats before its lease expires', () => {
  expect(durations.leaseMs / durations.heartbeatMs).toBeGreaterThanOrEqual(10);
});

it('a sweep comes after 15 minutes, the maximum timeout of a Lambda function', () => {
  expect(durations.sweepAfterClaimMs).toBeGreaterThan(15 * 60_000);
});

it('reconcile resumes a delivery long after an attempt must have ended', () => {
  expect(durations.deliveryAttemptMs).toBeGreaterThan(3 * webhookLimits.totalMs);
});

it('addMs adds milliseconds', () => {
  expect(addMs(later(0), 1_500)).toBe(later(1_500).toISOString());
});
