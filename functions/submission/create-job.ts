import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { createJobContract } from '../../core/api/create-job.ts';
import { takeContentKey } from '../../core/api/job-request.ts';
import type { ContentKeyCipher, JobRef } from '../../core/jobs/ports.ts';
import { viewJob } from '../../core/jobs/view.ts';
import { assertAllowedUrls, type RequestUrlRules } from '../../core/submission/assert-allowed-urls.ts';
import { chooseDestination, type StorageUseDeps } from '../../core/submission/choose-destination.ts';
import { chooseSpeed, speedOf } from '../../core/submission/choose-speed.ts';
import { findAcceptedJob, type SubmitJobDeps, submitJob } from '../../core/submission/submit-job.ts';

export type CreateJobDeps = SubmitJobDeps &
  StorageUseDeps & {
    urlRules: RequestUrlRules;
    contentKeys: Pick<ContentKeyCipher, 'encrypt'>;
  };

/**
 * Checks the URLs and the storage providers of a request, then submits the job. A content key leaves the request here: its
 * record has the encrypted key only.
 */
export function createJob(deps: CreateJobDeps): RouteApp<typeof createJobContract> {
  return async ({ body, rawBody, headers, principal }) => {
    assertAllowedUrls(body, principal.ownerId, deps.urlRules);
    const keyed = { principal, idempotencyKey: headers['idempotency-key'], keyedBody: rawBody };
    const { speeds, clock } = deps;
    const choose = async () => ({
      speed: chooseSpeed(body, { principal, speeds, now: clock.now() }),
      destination: await chooseDestination(deps, principal.ownerId, body),
    });
    const { speed, destination } = await choose().catch(async (rejection: unknown) => {
      // A replay creates no job, so it needs no storage provider, and its time may be over.
      const accepted = await findAcceptedJob(deps, keyed);
      if (accepted === undefined) throw rejection;
      return { speed: 'request' in accepted ? speedOf(accepted.request) : {}, destination: accepted.destination };
    });
    const { finishBy: _, ...asked } = body;
    const { request, key } = takeContentKey({ ...asked, ...speed });
    const contentKeyOf = async (ref: JobRef) =>
      key === undefined ? undefined : { jobId: ref.jobId, encrypted: await deps.contentKeys.encrypt(key, ref) };
    const authorKeyId = principal.caller === 'key' ? principal.key.keyId : undefined;
    const submission = { ...keyed, request, authorKeyId, destination, contentKeyOf };
    const { job, response } = await submitJob(deps, submission);
    return { ...response, body: viewJob(job, {}) };
  };
}
