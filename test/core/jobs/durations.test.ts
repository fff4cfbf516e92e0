import { expect, it } from 'vitest';
import { addMs, durations } from '../../../core/jobs/durations.ts';
import { webhookLimits } from '../../../core/webhooks/delivery.ts';
import { later } from '../../builders/jobs/jobs.ts';

it('lets a worker miss several heartbeats before its lease ends', () => {
  expect(durations.leaseMs / durations.heartbeatMs).toBeGreaterThanOrEqual(10);
});

it('sweeps only when no function can be alive any more: 15 minutes is the longest that Lambda allows', () => {
  expect(durations.sweepAfterClaimMs).toBeGreaterThan(15 * 60_000);
});

it('leaves an attempt alone for far longer than one may take', () => {
  expect(durations.deliveryAttemptMs).toBeGreaterThan(3 * webhookLimits.totalMs);
});

it('counts spans in milliseconds', () => {
  expect(addMs(later(0), 1_500)).toBe(later(1_500).toISOString());
});
