import type { Speed } from '@media-jobs/video/encoding';
import { speeds } from '@media-jobs/video/encoding';
import * as z from 'zod';
import type { Principal } from '../access/authentication.ts';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import type { JobRequestRecord } from '../jobs/request-record.ts';

/** What the stage says on the speed of jobs. */
export const stageSpeedsSchema = z.object({
  /** Of a job whose request and key name none. */
  default: z.enum(speeds),
  /** Whether the stage has a pool for economy jobs. */
  hasPool: z.boolean(),
});

export type StageSpeeds = z.output<typeof stageSpeedsSchema>;

const minute = 60_000;
const minAheadMs = 10 * minute;
const maxAheadMs = 7 * 24 * 60 * minute;

type RequestedSpeed = { speed?: Speed | undefined; finishBy?: string | undefined };

/**
 * The speed of a new job by its request, else by the caller's key, else by the stage; `finishBy` in UTC. The speed is left out
 * where nobody names one and the stage's is `standard`.
 *
 * @throws AppError VALIDATION_ERROR at `speed` for economy without a pool, at `finishBy` for a time that it must not be
 */
export function chooseSpeed(
  { speed: requested, finishBy }: RequestedSpeed,
  { principal, speeds: stage, now }: { principal: Principal; speeds: StageSpeeds; now: Date },
): RequestedSpeed {
  const ofKey = principal.caller === 'key' ? principal.key.defaultSpeed : undefined;
  const speed = requested ?? ofKey ?? (stage.default === 'standard' ? undefined : stage.default);
  assertPool(speed, stage, 'speed');
  if (finishBy === undefined) return speed === undefined ? {} : { speed };
  const reject = (message: string) => invalidRequest([{ path: 'finishBy', message }]);
  if (speed !== 'economy') throw reject('Only a job whose speed is economy has a finishBy');
  const aheadMs = Date.parse(finishBy) - now.getTime();
  if (!(aheadMs >= minAheadMs && aheadMs <= maxAheadMs)) throw reject('Must be 10 minutes to 7 days ahead');
  return { speed, finishBy: new Date(finishBy).toISOString() };
}

/** @throws AppError VALIDATION_ERROR for economy on a stage without a pool, with the name of the setting */
export function assertPool(speed: Speed | undefined, { hasPool }: StageSpeeds, path: ErrorDetail['path']): void {
  if (speed !== 'economy' || hasPool) return;
  const message = 'This stage has no pool for economy jobs: its operator can add the setting fargate.pool';
  throw invalidRequest([{ path, message }]);
}

/** The request of a retry: the speed stays, a `finishBy` that is past does not. */
export function repeatSpeed(request: JobRequestRecord, now: Date): JobRequestRecord {
  const { finishBy, ...rest } = request;
  return finishBy !== undefined && finishBy > now.toISOString() ? request : rest;
}

/** The speed of an accepted job. */
export function speedOf({ speed, finishBy }: JobRequestRecord): RequestedSpeed {
  return { ...(speed && { speed }), ...(finishBy && { finishBy }) };
}
