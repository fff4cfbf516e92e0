import { AppError } from '../errors.ts';
import { checkUrl, type UrlRules } from './check-url.ts';

/** Refuses a URL of a request by its text. Throws AppError INVALID_URL that says where and why, not what it was. */
export function assertAllowedUrl(text: string, path: string, rules: UrlRules): void {
  const { rejection } = checkUrl(text, rules);
  if (rejection === undefined) return;
  throw new AppError('INVALID_URL', `${path}: ${rejection}`, { details: [{ path, message: rejection }] });
}
