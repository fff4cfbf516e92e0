import { type JobRequest, requestUrls } from '../api/job-request.ts';
import { assertAllowedUrl, rejectUrl, type UrlRules } from '../net/check-url.ts';
import { findBucketObject, isS3Url, type StageBuckets } from '../storage/stage-bucket.ts';
import { assertAllowedInputUrl } from '../uploads/upload.ts';

export type RequestUrlRules = { input: UrlRules; webhook: UrlRules; buckets: StageBuckets };

/**
 * Checks the text of every URL of an owner's request, without DNS.
 * @throws AppError `INVALID_URL` for the first that a job must not have
 */
export function assertAllowedUrls(request: JobRequest, ownerId: string, rules: RequestUrlRules): void {
  for (const { url, path } of requestUrls(request)) {
    if (!isS3Url(url)) assertAllowedInputUrl(url, path, rules.input);
    else rejectUrl(path, findBucketObject(url, { ownerId, ...rules.buckets }).rejection);
  }
  if (request.webhookUrl !== undefined) assertAllowedUrl(request.webhookUrl, 'webhookUrl', rules.webhook);
}
