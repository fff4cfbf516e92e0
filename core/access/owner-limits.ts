import { integerBetween } from '@media-jobs/video/values';
import * as z from 'zod';
import { AppError } from '../errors.ts';
import { limitsOf, type Principal } from './authentication.ts';
import { type KeyGrant, type KeyLimits, type SpendingLimits, spendingLimitsShape } from './key-record.ts';

const limit = (min: number, max: number, description: string) => integerBetween(min, max).meta({ description });

const limits = {
  maxUnfinishedJobs: limit(1, 100_000, 'Queued and processing jobs of one owner.'),
  maxRunningJobs: limit(1, 1_000, 'Processing jobs of one owner, including those in chunks. Further jobs wait.'),
  maxRunningChunks: limit(
    1,
    1_000,
    'Chunks of one owner that are encoded at the same time. Fewer than there are functions for chunks, and one owner cannot occupy all.',
  ),
  maxUploadBytesPerDay: limit(
    1,
    Number.MAX_SAFE_INTEGER,
    'Bytes that one owner may announce for uploads in one UTC day.',
  ),
  maxRedeliveriesPerJob: limit(1, 100, 'Redeliveries of one job.'),
};

/** What one owner of a stage with several may use at most: settings with their defaults. */
export const ownerLimitsSchema = z
  .strictObject({
    maxUnfinishedJobs: limits.maxUnfinishedJobs.default(1_000),
    maxRunningJobs: limits.maxRunningJobs.default(10),
    maxRunningChunks: limits.maxRunningChunks.default(2),
    maxUploadBytesPerDay: limits.maxUploadBytesPerDay.default(100_000_000_000),
    maxRedeliveriesPerJob: limits.maxRedeliveriesPerJob.default(10),
    ...spendingLimitsShape,
  })
  .describe('Limits of each owner, only with `tenancy` `multi`.');

/**
 * The limits that functions apply. One that is unset does not exist. A stage of one team has only those that the service
 * itself needs: as many running jobs as functions can work on, first attempts for receivers that are not slow, and as many
 * keys as a list can have.
 */
export const appliedLimitsSchema = z
  .object({ ...limits, ...spendingLimitsShape })
  .partial()
  .extend({
    maxRunningJobs: z.int().min(1),
    /** Chunks of all batches at the same time, on a stage of one team. Another has `maxRunningChunks` for each owner. */
    maxBatchChunks: z.int().min(1).optional(),
    /** Deliveries to slow receivers at the same time. */
    maxSlowDeliveries: z.int().min(1),
    /** With more slow origins every delivery of an owner counts as one to a slow receiver: names of hosts cost nothing. */
    maxSlowOrigins: z.int().min(1).optional(),
    /** Valid API keys. A list of keys reads all, and the expired ones of the last hour or more, at most as many again. */
    maxKeys: z.int().min(1),
    /** Batches that have not ended: each takes steps for up to a month, which no job pays for. */
    maxOpenBatches: z.int().min(1),
  });

export type OwnerLimits = z.output<typeof appliedLimitsSchema>;

/** A limit that a request exceeds, and how much of it is in use. */
export type ExceededLimit = {
  limit: string;
  value: number;
  use: number;
  /** If waiting helps. */
  retryAfterSeconds?: number;
};

/**
 * A `LIMIT_EXCEEDED` that names the limit, its value and its use. `message` states what to do. A limit of 0 has a message of
 * its own, because waiting does not help.
 */
export function limitExceeded({ retryAfterSeconds, ...exceeded }: ExceededLimit, message: string): AppError {
  const { limit, value, use } = exceeded;
  const details = [{ path: limit, message: `${use} of ${value} are in use`, ...exceeded }];
  if (value > 0) return new AppError('LIMIT_EXCEEDED', message, { details, retryAfterSeconds });
  return new AppError('LIMIT_EXCEEDED', `The limit ${limit} is 0: ask the operator of the service to raise it.`, {
    details,
  });
}

type LoweredLimit = Exclude<keyof KeyLimits & keyof OwnerLimits, keyof SpendingLimits>;

/** The limit of an owner for one caller: that of the caller's key if it is lower; infinite if neither has one. */
export function lowerLimit<Name extends LoweredLimit>(
  limits: Pick<OwnerLimits, Name>,
  principal: Principal,
  name: Name,
): number {
  const unlimited = Number.POSITIVE_INFINITY;
  return Math.min(limits[name] ?? unlimited, limitsOf(principal)[name] ?? unlimited);
}

const usd = z.number().min(0);

/** What the jobs of an owner, or of one API key and the keys that it created, may cost together. */
export const spendingCapSchema = z.object({
  /** Unset: the cap of the owner. */
  keyId: z.string().optional(),
  /** Of the jobs that are created in one UTC day, in one UTC month. */
  usdPerDay: usd.optional(),
  usdPerMonth: usd.optional(),
});

export type SpendingCap = z.output<typeof spendingCapSchema>;

/**
 * The caps of a job that a caller submits: that of its owner, and those of its key and of the key that created it. A key with the
 * limits of the key that created it has no cap of its own, since its jobs count for the other key.
 */
export function spendingCapsOf(limits: SpendingLimits, principal: Principal): SpendingCap[] {
  const ofKeys = keysWithCaps(principal).map((key) => ({ keyId: key.keyId, ...capOf(key.limits) }));
  return [capOf(limits), ...ofKeys].filter(
    ({ usdPerDay, usdPerMonth }) => usdPerDay !== undefined || usdPerMonth !== undefined,
  );
}

function keysWithCaps(principal: Principal): KeyGrant[] {
  if (principal.caller === 'session') return [];
  const { key, parent } = principal;
  if (parent === undefined) return [key];
  const { usdPerDay, usdPerMonth } = parent.limits;
  const hasItsOwn = key.limits.usdPerDay !== usdPerDay || key.limits.usdPerMonth !== usdPerMonth;
  return hasItsOwn ? [parent, key] : [parent];
}

function capOf({ usdPerDay, usdPerMonth }: SpendingLimits): SpendingCap {
  return { usdPerDay, usdPerMonth };
}
