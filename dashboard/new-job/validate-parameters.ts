import * as z from 'zod';

// Compiled checks would need eval, which the security policy forbids.
z.config({ jitless: true });

export type ParameterValidation = {
  /** What is wrong with a value, by the parameter's name: the first thing of each. */
  problems: Record<string, string>;
  /** Required parameters that have no value yet. */
  missing: string[];
};

/** Checks values by a recipe's JSON Schema. */
export function validateParameters(
  schema: Record<string, unknown>,
  values: Record<string, unknown>,
): ParameterValidation {
  const result = z.fromJSONSchema(schema).safeParse(values);
  const check: ParameterValidation = { problems: {}, missing: [] };
  for (const issue of result.error?.issues ?? []) {
    const name = String(issue.path[0] ?? '');
    if (values[name] === undefined) check.missing.push(name);
    else check.problems[name] ??= wordsFor(issue);
  }
  return check;
}

function wordsFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `At least ${issue.minimum}`;
    case 'too_big':
      return `At most ${issue.maximum}`;
    case 'not_multiple_of':
      return `Only in steps of ${issue.divisor}`;
    case 'invalid_type':
      return issue.expected === 'int' ? 'A whole number' : `A ${issue.expected}, please`;
    case 'invalid_format':
      return issue.format === 'url'
        ? 'A URL, such as https://example.com/file'
        : 'Not in the form described here';
    default:
      return issue.message;
  }
}
