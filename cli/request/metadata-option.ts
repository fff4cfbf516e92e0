import { InvalidArgumentError } from 'commander';

/** Collects `key=value` pairs of an option that is given once for each. */
export function collectPair(typed: string, pairs: Record<string, string> = {}): Record<string, string> {
  const [, key, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(typed) ?? [];
  if (key === undefined) throw new InvalidArgumentError('Write it as key=value.');
  return { ...pairs, [key]: value };
}
