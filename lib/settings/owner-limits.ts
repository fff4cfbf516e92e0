import { maxListedKeys, type OwnerLimits, ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import { maxFirstAttempts } from './first-attempts.ts';
import type { Settings } from './settings.ts';

type LimitedSettings = Pick<
  Settings,
  'tenancy' | 'ownerLimits' | 'transcoder' | 'parallel' | 'fargate' | 'accountConcurrency'
>;

/** Fewer would leave workers idle while a few long jobs run elsewhere. */
const minRunningJobs = 10;

/** More jobs with Fargate tasks, which hold no function. */
const fargateJobs = 100;

/**
 * The limits of each owner. The one owner of a stage of one team has as many running jobs as functions can work on: others
 * wait in the queue, where they lose no attempt. Half of the first attempts of webhooks are left to receivers that are not slow.
 */
export function ownerLimitsOf(settings: LimitedSettings): OwnerLimits {
  const { tenancy, transcoder, parallel, fargate } = settings;
  const maxSlowDeliveries = Math.floor(maxFirstAttempts(settings) / 2);
  if (tenancy === 'multi') {
    const limits = ownerLimitsSchema.parse(settings.ownerLimits ?? {});
    return { ...limits, maxSlowDeliveries: Math.min(limits.maxSlowDeliveries, maxSlowDeliveries) };
  }
  const functions = transcoder.maxConcurrency + parallel.maxConcurrency;
  const running = Math.max(minRunningJobs, functions) + (fargate === undefined ? 0 : fargateJobs);
  return { maxRunningJobs: Math.min(1_000, running), maxKeys: maxListedKeys, maxSlowDeliveries };
}
