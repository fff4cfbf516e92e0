import type { createJobContract } from '../../../core/api/create-job.ts';
import { requestUrls, takeContentKey } from '../../../core/api/job-request.ts';
import type { ContentKeyCipher, JobRef } from '../../../core/jobs/ports.ts';
import { assertAllowedUrl, type UrlRules } from '../../../core/net/check-url.ts';
import { assertAllowedInputUrl } from '../../../core/uploads/upload.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { chooseDestination, type StorageUseDeps } from './choose-destination.ts';
import { type SubmitJobDeps, submitJob } from './submit-job.ts';

export type CreateJobDeps = SubmitJobDeps &
  StorageUseDeps & {
    urlRules: { input: UrlRules; webhook: UrlRules };
    contentKeys: Pick<ContentKeyCipher, 'encrypt'>;
  };

/**
 * Checks the text of every URL of a request, without DNS, and its storage providers, then submits the job. A content key
 * leaves the request here: its record has the encrypted key only.
 */
export function createJob(deps: CreateJobDeps): RouteApp<typeof createJobContract> {
  const { urlRules } = deps;
  return async ({ body, rawBody, headers, principal }) => {
    for (const { url, path } of requestUrls(body)) assertAllowedInputUrl(url, path, urlRules.input);
    if (body.webhookUrl !== undefined) assertAllowedUrl(body.webhookUrl, 'webhookUrl', urlRules.webhook);
    const destination = await chooseDestination(deps, principal.ownerId, body);
    const idempotencyKey = headers['idempotency-key'];
    const { request, key } = takeContentKey(body);
    const contentKeyOf = async (ref: JobRef) =>
      key === undefined
        ? undefined
        : { jobId: ref.jobId, encrypted: await deps.contentKeys.encrypt(key, ref) };
    return submitJob(deps, {
      principal,
      request,
      destination,
      contentKeyOf,
      idempotencyKey,
      keyedBody: rawBody,
    });
  };
}
