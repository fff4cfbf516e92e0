import type { PostLimits } from '../net/ports.ts';

/** What one attempt may take at a receiver. */
export const webhookLimits: PostLimits = {
  connectMs: 5_000,
  totalMs: 10_000,
  maxResponseBytes: 64 * 1024,
};
