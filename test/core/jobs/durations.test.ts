import { expect, it } from 'vitest';
import { after, durations } from '../../../core/jobs/durations.ts';
import { webhookLimits } from '../../../core/webhooks/limits.ts';
import { later } from '../../builders/jobs.ts';

it('lets a worker miss several heartbeats before its lease ends', () => {
  expect(durations.lease / durations.heartbeat).toBeGreaterThanOrEqual(10);
});

it('sweeps only when no function can be alive any more: 15 minutes is the longest that Lambda allows', () => {
  expect(durations.sweepAfterClaim).toBeGreaterThan(15 * 60_000);
});

it('leaves an attempt alone for far longer than one may take', () => {
  expect(durations.deliveryAttempt).toBeGreaterThan(3 * webhookLimits.totalMs);
});

it('counts spans in milliseconds', () => {
  expect(after(later(0), 1_500)).toBe(later(1_500).toISOString());
});
