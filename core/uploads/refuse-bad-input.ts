import { AppError } from '../errors.ts';
import { refuseBadUrl } from '../net/refuse-url.ts';
import type { UrlRules } from '../net/url-text.ts';
import { isUploadUrl, readUploadUrl } from './upload.ts';

const message = 'This is not the inputUrl of an upload: use it unchanged';

/** Refuses the URL of an input by its text: an upload's, or one of the web. Throws AppError INVALID_URL. */
export function refuseBadInput(url: string, path: string, rules: UrlRules): void {
  if (!isUploadUrl(url)) {
    refuseBadUrl(url, path, rules);
    return;
  }
  if (readUploadUrl(url) !== undefined) return;
  throw new AppError('INVALID_URL', `${path}: ${message}`, { details: [{ path, message }] });
}
