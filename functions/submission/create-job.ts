import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { createJobContract } from '../../core/api/create-job.ts';
import { takeContentKey } from '../../core/api/job-request.ts';
import type { ContentKeyCipher, JobRef } from '../../core/jobs/ports.ts';
import { viewJob } from '../../core/jobs/view.ts';
import type { ReadablePresets } from '../../core/presets/ports.ts';
import { type ResolvedRequest, withResolvedRequest } from '../../core/presets/resolve/resolve-request.ts';
import { assertAllowedUrls, type RequestUrlRules } from '../../core/submission/assert-allowed-urls.ts';
import { chooseDestination, type StorageUseDeps } from '../../core/submission/choose-destination.ts';
import { chooseSpeed, speedOf } from '../../core/submission/choose-speed.ts';
import { findAcceptedJob, type SubmitJobDeps, submitJob } from '../../core/submission/submit-job.ts';

export type CreateJobDeps = SubmitJobDeps &
  StorageUseDeps & {
    urlRules: RequestUrlRules;
    contentKeys: Pick<ContentKeyCipher, 'encrypt'>;
    presets: Pick<ReadablePresets, 'versions'>;
  };

/**
 * Checks the URLs and the storage providers of a request, then submits the job. A content key leaves the request here: its
 * record has the encrypted key only.
 */
export function createJob(deps: CreateJobDeps): RouteApp<typeof createJobContract> {
  return async ({ body: job, rawBody, headers, principal }) => {
    const { ownerId } = principal;
    const keyed = { principal, idempotencyKey: headers['idempotency-key'], keyedBody: rawBody };
    const findReplayed = () => findAcceptedJob(deps, keyed);
    const submit = async ({ request: resolved, preset }: ResolvedRequest) => {
      assertAllowedUrls(resolved, ownerId, deps.urlRules);
      const choose = async () => ({
        speed: chooseSpeed(resolved, { principal, speeds: deps.speeds, now: deps.clock.now() }),
        destination: await chooseDestination(deps, ownerId, resolved),
      });
      const { speed, destination } = await choose().catch(async (rejection: unknown) => {
        // A replay creates no job, so it needs no storage provider, and its time may be over.
        const accepted = await findReplayed();
        if (accepted === undefined) throw rejection;
        return { speed: 'request' in accepted ? speedOf(accepted.request) : {}, destination: accepted.destination };
      });
      const { finishBy: _, ...asked } = resolved;
      const { request, key } = takeContentKey({ ...asked, ...speed });
      const contentKeyOf = async (ref: JobRef) =>
        key === undefined ? undefined : { jobId: ref.jobId, encrypted: await deps.contentKeys.encrypt(key, ref) };
      const authorKeyId = principal.caller === 'key' ? principal.key.keyId : undefined;
      return submitJob(deps, { ...keyed, request, preset, authorKeyId, destination, contentKeyOf });
    };
    // The version of a replay is that of its first request, whichever is the current one now.
    const first = job.mode === 'preset' ? await findReplayed() : undefined;
    const sent = first !== undefined && 'preset' in first && first.preset ? { ...job, preset: first.preset } : job;
    const submitted = { presets: deps.presets, ownerId, job: sent };
    const { job: created, response } = await withResolvedRequest(submitted, submit);
    return { ...response, body: viewJob(created, {}) };
  };
}
