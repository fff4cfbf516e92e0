import { AppError } from '../errors.ts';
import type { UrlRules } from '../net/check-url.ts';
import { assertAllowedUrl } from '../net/refuse-url.ts';
import { isUploadUrl, parseUploadUrl } from './upload.ts';

const message = 'This is not the inputUrl of an upload: use it unchanged';

/** Refuses the URL of an input by its text: an upload's, or one of the web. Throws AppError INVALID_URL. */
export function assertAllowedInputUrl(url: string, path: string, rules: UrlRules): void {
  if (!isUploadUrl(url)) {
    assertAllowedUrl(url, path, rules);
    return;
  }
  if (parseUploadUrl(url) !== undefined) return;
  throw new AppError('INVALID_URL', `${path}: ${message}`, { details: [{ path, message }] });
}
