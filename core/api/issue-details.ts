import type * as z from 'zod';
import type { ErrorDetail } from '../errors.ts';

const maxPathCharacters = 100;

/** The details of an issue, one for each field. `prefix` precedes their paths. */
export function issueDetails(issue: z.core.$ZodIssue, prefix?: string): ErrorDetail[] {
  const pathOf = (path: PropertyKey[]) => {
    const segments = [...(prefix === undefined ? [] : [prefix]), ...path];
    return segments.map(String).join('.').slice(0, maxPathCharacters) || 'body';
  };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: issue.message }));
  }
  return [{ path: pathOf(issue.path), message: issue.message }];
}
