import * as z from 'zod';
import { AppError } from '../errors.ts';
import { integerBetween } from '../integer-between.ts';
import { limitsOf, type Principal } from './authentication.ts';
import type { KeyLimits } from './key-limits.ts';
import { type SpendingLimits, spendingLimitsShape } from './spending-limits.ts';

const limit = (min: number, max: number, description: string) =>
  integerBetween(min, max).meta({ description });

/** A list of keys is read and answered at once. */
export const maxListedKeys = 10_000;

const limits = {
  maxUnfinishedJobs: limit(1, 100_000, 'Queued and processing jobs of one owner.'),
  maxRunningJobs: limit(
    1,
    1_000,
    'Processing jobs of one owner, including those in chunks. Further jobs wait. If transcoder.maxConcurrency is larger, set this too.',
  ),
  maxRunningChunks: limit(
    1,
    1_000,
    'Chunks of one owner that are encoded at the same time. Below parallel.maxConcurrency, one owner cannot occupy all functions.',
  ),
  maxUploadBytesPerDay: limit(
    1,
    Number.MAX_SAFE_INTEGER,
    'Bytes that one owner may announce for uploads in one UTC day.',
  ),
  maxRedeliveriesPerJob: limit(1, 100, 'Redeliveries of one job.'),
  maxSlowDeliveries: limit(
    1,
    1_000,
    'Deliveries of one owner at the same time to receivers that take over 2 s to respond, at most half of them to one origin; at most half of the first attempts that the stage makes at once. Further ones wait.',
  ),
  maxKeys: limit(
    1,
    maxListedKeys,
    'Valid API keys of one owner, those that keys created included. Listing them reads all, and the expired ones of the last hour or more, at most as many again.',
  ),
};

/** What one owner of a stage with several may use at most: settings with their defaults. */
export const ownerLimitsSchema = z
  .strictObject({
    maxUnfinishedJobs: limits.maxUnfinishedJobs.default(1_000),
    maxRunningJobs: limits.maxRunningJobs.default(10),
    maxRunningChunks: limits.maxRunningChunks.default(2),
    maxUploadBytesPerDay: limits.maxUploadBytesPerDay.default(100_000_000_000),
    maxRedeliveriesPerJob: limits.maxRedeliveriesPerJob.default(10),
    maxSlowDeliveries: limits.maxSlowDeliveries.default(2),
    maxKeys: limits.maxKeys.default(1_000),
    ...spendingLimitsShape,
  })
  .meta({ description: 'Limits of each owner, only with `tenancy` `multi`.' });

/**
 * The limits that functions apply. One that is unset does not exist. A stage of one team has only those that the service
 * itself needs: as many running jobs as functions can work on, first attempts for receivers that are not slow, and as many
 * keys as a list can have.
 */
export const appliedLimitsSchema = z
  .object({ ...limits, ...spendingLimitsShape })
  .partial()
  .required({ maxRunningJobs: true, maxSlowDeliveries: true, maxKeys: true });

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
  return new AppError('LIMIT_EXCEEDED', `The limit ${limit} is 0: have it raised.`, { details });
}

/** The limits of which a key may have a lower one. */
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
