import { findTextRejection } from '@media-jobs/core/api';
import { InvalidArgumentError } from 'commander';

/** Collects the `key=value` pairs of a repeatable option. */
export function collectPair(text: string, pairs: Record<string, string> = {}): Record<string, string> {
  const [, key, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (key === undefined) throw new InvalidArgumentError('Expected key=value.');
  return { ...pairs, [key]: value };
}

/** Checks a URL before anything is uploaded. The stage decides whether it allows `http` and the address. */
export function parseWebUrl(text: string): string {
  const rejection = findTextRejection(text, { schemes: ['https', 'http'] });
  if (rejection !== undefined) throw new InvalidArgumentError(`${rejection}.`);
  return text;
}
