import { findTextRejection } from '@media-jobs/core/api';
import { InvalidArgumentError } from 'commander';

/** Collects the `key=value` pairs of a repeatable option. */
export function collectPair(text: string, pairs: Record<string, string> = {}): Record<string, string> {
  return { ...pairs, ...parsePair(text, 'key=value') };
}

/** @param form as the message for a text without `=` has it */
export function parsePair(text: string, form: string): Record<string, string> {
  const [, key, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (key === undefined) throw new InvalidArgumentError(`Expected ${form}.`);
  return { [key]: value };
}

/** Checks a URL before anything is uploaded. The stage decides whether it allows `http` and the address. */
export function parseWebUrl(text: string): string {
  const rejection = findTextRejection(text, { schemes: ['https', 'http'] });
  if (rejection !== undefined) throw new InvalidArgumentError(`${rejection}.`);
  return text;
}
