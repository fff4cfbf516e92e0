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
  for (const source of requestUrls(request)) assertAllowedSource(source, ownerId, rules);
  if (request.webhookUrl !== undefined) assertAllowedUrl(request.webhookUrl, 'webhookUrl', rules.webhook);
}

/** Checks the text of one URL that the service reads for an owner. Throws AppError `INVALID_URL`. */
export function assertAllowedSource(
  { url, path }: { url: string; path: string },
  ownerId: string,
  { input, buckets }: Pick<RequestUrlRules, 'input' | 'buckets'>,
): void {
  if (!isS3Url(url)) assertAllowedInputUrl(url, path, input);
  else rejectUrl(path, findBucketObject(url, { ownerId, ...buckets }).rejection);
}
