import { type JobRequest, requestUrls } from '../api/job-request.ts';
import { assertAllowedUrl, type UrlRules } from '../net/check-url.ts';
import { assertAllowedInputUrl } from '../uploads/upload.ts';

export type RequestUrlRules = { input: UrlRules; webhook: UrlRules };

/**
 * Checks the text of every URL of a request, without DNS.
 * @throws AppError `INVALID_URL` for the first that a job must not have
 */
export function assertAllowedUrls(request: JobRequest, rules: RequestUrlRules): void {
  for (const { url, path } of requestUrls(request)) assertAllowedInputUrl(url, path, rules.input);
  if (request.webhookUrl !== undefined) assertAllowedUrl(request.webhookUrl, 'webhookUrl', rules.webhook);
}
