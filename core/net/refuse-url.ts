import { AppError } from '../errors.ts';
import { judgeUrl, type UrlRules } from './url-text.ts';

/** Refuses a URL of a request by its text. Throws AppError INVALID_URL that says where and why, not what it was. */
export function refuseBadUrl(text: string, path: string, rules: UrlRules): void {
  const { refusal } = judgeUrl(text, rules);
  if (refusal === undefined) return;
  throw new AppError('INVALID_URL', `${path}: ${refusal}`, { details: [{ path, message: refusal }] });
}
