import type { createJobContract } from '../../../core/api/create-job.ts';
import { requestUrls } from '../../../core/api/request-urls.ts';
import { refuseBadUrl } from '../../../core/net/refuse-url.ts';
import type { UrlRules } from '../../../core/net/url-text.ts';
import { refuseBadInput } from '../../../core/uploads/refuse-bad-input.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { type SubmitJobPorts, submitJob } from './submit-job.ts';

export type CreateJobPorts = SubmitJobPorts & { urlRules: { input: UrlRules; webhook: UrlRules } };

/** Submits a job whose URLs are none that their text alone shows to be bad. */
export function createJob(ports: CreateJobPorts): RouteApp<typeof createJobContract> {
  const { urlRules } = ports;
  return async ({ body, sent, headers, principal: { ownerId } }) => {
    for (const { url, path } of requestUrls(body)) refuseBadInput(url, path, urlRules.input);
    if (body.webhookUrl !== undefined) refuseBadUrl(body.webhookUrl, 'webhookUrl', urlRules.webhook);
    return submitJob(ports, { ownerId, request: body, key: headers['idempotency-key'], sent });
  };
}
