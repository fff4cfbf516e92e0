import * as z from 'zod';
import { AppError } from '../errors.ts';
import { integerBetween } from '../integer-between.ts';
import { limitsOf, type Principal } from './authentication.ts';
import type { KeyLimits } from './key-limits.ts';
import { type SpendingLimits, spendingLimitsShape } from './spending-limits.ts';

const limit = (min: number, max: number, defaultValue: number, description: string) =>
  integerBetween(min, max).default(defaultValue).meta({ description });

/** What one owner may use at most: settings of a stage with their defaults. */
export const ownerLimitsSchema = z.strictObject({
  maxUnfinishedJobs: limit(1, 100_000, 1_000, 'Queued and processing jobs of one owner.'),
  maxRunningJobs: limit(
    1,
    1_000,
    10,
    'Processing jobs of one owner, including those in chunks. Further jobs wait. If transcoder.maxConcurrency is larger, set this too.',
  ),
  maxRunningChunks: limit(
    1,
    1_000,
    2,
    'Chunks of one owner that are encoded at the same time. Below parallel.maxConcurrency, one owner cannot occupy all functions.',
  ),
  maxUploadBytesPerDay: limit(
    1,
    Number.MAX_SAFE_INTEGER,
    100_000_000_000,
    'Bytes that one owner may announce for uploads in one UTC day.',
  ),
  maxRedeliveriesPerJob: limit(1, 100, 10, 'Redeliveries of one job.'),
  maxSlowDeliveries: limit(
    1,
    1_000,
    2,
    'Deliveries of one owner at the same time to receivers that take over 2 s to respond, at most half of them to one origin; always fewer than the first attempts that the stage makes at once. Further ones wait.',
  ),
  maxKeys: limit(
    1,
    10_000,
    1_000,
    'Valid API keys of one owner, those that keys created included. Listing them reads all, and the expired ones of the last hour or more, at most as many again.',
  ),
  ...spendingLimitsShape,
});

export type OwnerLimits = z.output<typeof ownerLimitsSchema>;

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

/** The limit of an owner for one caller: that of the caller's key if it is lower. */
export function lowerLimit<Name extends LoweredLimit>(
  limits: Pick<OwnerLimits, Name>,
  principal: Principal,
  name: Name,
): number {
  return Math.min(limits[name], limitsOf(principal)[name] ?? Number.POSITIVE_INFINITY);
}
