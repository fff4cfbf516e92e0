import { issueMessage } from '@media-jobs/core/api';
import * as z from 'zod';
import { acceptsMultipleInputs, allSteps, type Draft, draftToRequest, stepRecipePath } from './draft.ts';

// zod compiles schemas with eval, which the content security policy forbids.
z.config({ jitless: true });

export type ParameterValidation = {
  /** The first problem of each invalid value, by the parameter's name or path. */
  problems: Record<string, string>;
  /** Required parameters without a value. */
  missing: string[];
};

/** Validates the parameters of every step; problems are keyed by their path in the request. */
export function validateDraft(draft: Draft): ParameterValidation {
  const { recipe, steps = recipe === undefined ? [] : [{ recipe }] } = draftToRequest(draft);
  const all: ParameterValidation = { problems: emptyFiles(draft), missing: [] };
  for (const [index, step] of allSteps(draft).entries()) {
    const { name: _, ...parameters } = steps[index]?.recipe ?? { name: '' };
    const { problems, missing } = validateParameters(step.recipe.parameters, parameters);
    const path = stepRecipePath(index, steps.length);
    for (const [name, message] of Object.entries(problems)) all.problems[`${path}.${name}`] = message;
    all.missing.push(...missing);
  }
  return all;
}

/** The API accepts no upload of zero bytes. Most are downloads that failed. */
function emptyFiles({ sources, recipe }: Draft): Record<string, string> {
  const path = (index: number) => (acceptsMultipleInputs(recipe) ? `inputs.${index}.url` : 'input.url');
  const empty = [...sources.entries()].filter(([, source]) => source instanceof File && source.size === 0);
  return Object.fromEntries(empty.map(([index]) => [path(index), 'This file is empty: choose another one']));
}

/** Validates parameters by the JSON Schema of their recipe. */
export function validateParameters(
  schema: Record<string, unknown>,
  values: Record<string, unknown>,
): ParameterValidation {
  const result = z.fromJSONSchema(schema).safeParse(values, { error: messageOf });
  const validation: ParameterValidation = { problems: {}, missing: [] };
  for (const issue of result.error?.issues ?? []) {
    const name = String(issue.path[0] ?? '');
    if (values[name] === undefined) validation.missing.push(name);
    else validation.problems[name] ??= issue.message;
  }
  return validation;
}

/** JSON Schema has no message for a pattern, and the description of the parameter says what it takes. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  return (
    issueMessage(issue) ?? (issue.code === 'invalid_format' ? 'Does not match the format described here' : undefined)
  );
}
