import { type Speed, speeds } from '@media-jobs/video/encoding';
import * as z from 'zod';
import type { Principal } from '../access/authentication.ts';
import { type JobRequest, requestUrls, type SubmittedJob, takeContentKey } from '../api/job-request.ts';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import type { ContentKeyCipher, JobRef } from '../jobs/ports.ts';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import { assertAllowedUrl, rejectUrl, type UrlRules } from '../net/check-url.ts';
import type { ReadablePresets } from '../presets/preset.ts';
import { type ResolvedRequest, withResolvedRequest } from '../presets/resolve/resolve-request.ts';
import { findBucketObject, type StageBuckets } from '../storage/stage-bucket.ts';
import { parseUploadUrl } from '../uploads/upload.ts';
import { chooseDestination, type StorageUseDeps } from './choose-destination.ts';
import {
  findAcceptedJob,
  type KeyedRequest,
  type Submission,
  type SubmitJobDeps,
  type Submitted,
  submitJob,
} from './submit-job.ts';

export type AcceptJobDeps = SubmitJobDeps &
  StorageUseDeps & {
    urlRules: RequestUrlRules;
    speeds: StageSpeeds;
    contentKeys: Pick<ContentKeyCipher, 'encrypt'>;
    presets: Pick<ReadablePresets, 'versions'>;
  };

/** Where every delivered result of a job goes, whatever its request says. */
export type JobOutput = { storageProviderId: string | null; key?: string | undefined };

export type AcceptedJob = KeyedRequest &
  Pick<Submission, 'batch'> & {
    job: SubmittedJob;
    output?: JobOutput | undefined;
    /** Changes the request once a preset is resolved. */
    amend?: (request: JobRequest) => JobRequest;
  };

/**
 * Checks the URLs and the storage providers of a request, then submits the job: the only way in which a job is made. A content
 * key leaves the request here: its record has the encrypted key only.
 */
export async function acceptJob(
  deps: AcceptJobDeps,
  { job, output, batch, amend, ...keyed }: AcceptedJob,
): Promise<Submitted> {
  const { principal } = keyed;
  const { ownerId } = principal;
  const findReplayed = () => findAcceptedJob(deps, keyed);
  const submit = async ({ request: asked, preset }: ResolvedRequest) => {
    const placed = output === undefined ? asked : storedAt(asked, output);
    const resolved = amend?.(placed) ?? placed;
    assertAllowedUrls(resolved, ownerId, deps.urlRules);
    const choose = async () => ({
      speed: chooseSpeed(resolved, { principal, speeds: deps.speeds, now: deps.clock.now() }),
      destination: await chooseDestination(deps, ownerId, resolved),
    });
    const { speed, destination } = await choose().catch(async (rejection: unknown) => {
      // A replay creates no job, so it needs no storage provider, and its time may be over.
      const accepted = await findReplayed();
      if (accepted === undefined) throw rejection;
      const { speed, finishBy }: RequestedSpeed = 'request' in accepted ? accepted.request : {};
      return { speed: { ...(speed && { speed }), ...(finishBy && { finishBy }) }, destination: accepted.destination };
    });
    const { finishBy: _, ...rest } = resolved;
    const { request, key } = takeContentKey({ ...rest, ...speed });
    const contentKeyOf = async (ref: JobRef) =>
      key === undefined ? undefined : { jobId: ref.jobId, encrypted: await deps.contentKeys.encrypt(key, ref) };
    const authorKeyId = principal.caller === 'key' ? principal.key.keyId : undefined;
    return submitJob(deps, { ...keyed, request, preset, authorKeyId, destination, contentKeyOf, batch });
  };
  if (job.mode !== 'preset') return submit({ request: job });
  // The version of a replay is that of its first request, whichever is the current one now.
  const first = await findReplayed();
  const sent = first !== undefined && 'preset' in first && first.preset ? { ...job, preset: first.preset } : job;
  return withResolvedRequest({ presets: deps.presets, ownerId, job: sent }, submit);
}

/** The request with these fields in its output, or in each of its delivered outputs. */
export function storedAt(request: JobRequest, output: Partial<JobOutput>): JobRequest {
  if (request.mode !== 'outputs') return { ...request, output: { ...request.output, ...output } };
  const outputs = Object.entries(request.outputs).map(([name, fields]) => [
    name,
    fields.deliver === false ? fields : { ...fields, ...output },
  ]);
  return { ...request, outputs: Object.fromEntries(outputs) };
}

export type RequestUrlRules = { input: UrlRules; webhook: UrlRules; buckets: StageBuckets };

/**
 * Checks the text of every URL of an owner's request, without DNS.
 * @throws AppError `INVALID_URL` for the first that a job must not have
 */
export function assertAllowedUrls(request: JobRequest, ownerId: string, rules: RequestUrlRules): void {
  for (const source of requestUrls(request)) assertAllowedSource(source, ownerId, rules);
  if (request.webhookUrl !== undefined) assertAllowedUrl(request.webhookUrl, 'webhookUrl', rules.webhook);
}

const invalidInputUrl = 'This is not the inputUrl of an upload: use it unchanged';

/** Checks the text of one URL that the service reads for an owner. Throws AppError `INVALID_URL`. */
export function assertAllowedSource(
  { url, path }: { url: string; path: string },
  ownerId: string,
  { input, buckets }: Pick<RequestUrlRules, 'input' | 'buckets'>,
): void {
  const [scheme] = url.toLowerCase().split(':', 1);
  if (scheme === 's3') rejectUrl(path, findBucketObject(url, { ownerId, ...buckets }).rejection);
  else if (scheme === 'upload') rejectUrl(path, parseUploadUrl(url) === undefined ? invalidInputUrl : undefined);
  else assertAllowedUrl(url, path, input);
}

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
