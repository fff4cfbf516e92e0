import type * as z from 'zod';
import { AppError, type ErrorDetail, invalidRequest } from '../../../core/errors.ts';

/** A caller reads the first few; a body of nonsense would otherwise be answered with a far longer one. */
const mostDetails = 20;
const mostPathCharacters = 100;

/**
 * The value as its schema has it. `place` goes before every path: `query`, or nothing for the body.
 * @throws AppError VALIDATION_ERROR that says what is wrong and where
 */
export function validate(schema: z.ZodType, value: unknown, place?: string): unknown {
  const result = schema.safeParse(value, { error: messageOf });
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap((issue) => detailsOf(issue, place)).slice(0, mostDetails));
}

/** Where zod's own words are those of a programmer, ours. */
function messageOf({ code, input }: z.core.$ZodRawIssue): string | undefined {
  return code === 'invalid_type' && input === undefined ? 'Required' : undefined;
}

/** The parameters of a path. One that cannot exist is answered as one that does not: AppError NOT_FOUND. */
export function parseParams(schema: z.ZodType, params: unknown): unknown {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new AppError('NOT_FOUND', result.error.issues[0]?.message ?? 'There is nothing under this id.');
}

function detailsOf(issue: z.core.$ZodIssue, place: string | undefined): ErrorDetail[] {
  const at = (path: PropertyKey[]) => {
    const parts = [...(place === undefined ? [] : [place]), ...path];
    return parts.map(String).join('.').slice(0, mostPathCharacters) || 'body';
  };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: at([...issue.path, key]), message: 'Unknown field' }));
  }
  return [{ path: at(issue.path), message: issue.message }];
}
