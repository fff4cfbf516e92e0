import type { createJobContract } from '../../../core/api/create-job.ts';
import { requestUrls } from '../../../core/api/job-request.ts';
import { assertAllowedUrl, type UrlRules } from '../../../core/net/check-url.ts';
import { assertAllowedInputUrl } from '../../../core/uploads/upload.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { chooseDestination, type StorageUseDeps } from './choose-destination.ts';
import { type SubmitJobDeps, submitJob } from './submit-job.ts';

export type CreateJobDeps = SubmitJobDeps &
  StorageUseDeps & { urlRules: { input: UrlRules; webhook: UrlRules } };

/** Checks the text of every URL of a request, without DNS, and its storage providers, then submits the job. */
export function createJob(deps: CreateJobDeps): RouteApp<typeof createJobContract> {
  const { urlRules } = deps;
  return async ({ body, rawBody, headers, principal }) => {
    for (const { url, path } of requestUrls(body)) assertAllowedInputUrl(url, path, urlRules.input);
    if (body.webhookUrl !== undefined) assertAllowedUrl(body.webhookUrl, 'webhookUrl', urlRules.webhook);
    const destination = await chooseDestination(deps, principal.ownerId, body);
    const idempotencyKey = headers['idempotency-key'];
    return submitJob(deps, { principal, request: body, destination, idempotencyKey, keyedBody: rawBody });
  };
}
