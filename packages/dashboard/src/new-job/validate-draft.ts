import { issueMessage } from '@media-jobs/core/api';
import * as z from 'zod';
import { labelFromName } from '../format/labels.ts';
import { acceptsMultipleInputs, type Draft, draftRecipes } from './draft.ts';
import { draftToRequest } from './draft-to-request.ts';

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
  if (draft.preset !== undefined) return { problems: emptyFiles(draft), missing: [] };
  const { recipe, steps = recipe === undefined ? [] : [{ recipe }], outputs } = draftToRequest(draft);
  const requested = outputs === undefined ? steps : Object.values(outputs);
  const all: ParameterValidation = { problems: { ...emptyFiles(draft), ...wrongNames(draft) }, missing: [] };
  for (const [index, { step, path }] of draftRecipes(draft).entries()) {
    const { name: _, ...parameters } = requested[index]?.recipe ?? { name: '' };
    const { problems, missing } = validateParameters(step.recipe.parameters, parameters);
    for (const [name, message] of Object.entries(problems)) all.problems[`${path}.${name}`] = message;
    all.missing.push(...missing);
  }
  return all;
}

/** Names of outputs that the request cannot have. A repeated one is at the later output. */
function wrongNames({ name: first, outputs }: Draft): Record<string, string> {
  if (outputs.length === 0) return {};
  const names = [first, ...outputs.map(({ name }) => name)];
  const problems = names.flatMap((name, index): [string, string][] => {
    const field = nameField(index);
    if (!/^[\w-]{1,40}$/.test(name)) return [[field, 'Use up to 40 letters, digits, hyphens and underscores']];
    return names.indexOf(name) < index ? [[field, 'Another output has this name']] : [];
  });
  return Object.fromEntries(problems);
}

/** The key of the problem of the name of an output, by its position. */
export function nameField(index: number): string {
  return `outputs[${index}]`;
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
  const result = z.fromJSONSchema(schema).safeParse(values, { error: messageOf, reportInput: true });
  const validation: ParameterValidation = { problems: {}, missing: [] };
  for (const issue of result.error?.issues ?? []) {
    if (matchesInUnicode(issue)) continue;
    const name = String(issue.path[0] ?? '');
    if (values[name] === undefined) validation.missing.push(name);
    else
      validation.problems[name] ??= issue.path.length > 1 ? `${labelOf(issue.path)}: ${issue.message}` : issue.message;
  }
  return validation;
}

/** Patterns of JSON Schema are of Unicode, such as `\p{L}`; zod compiles them without the flag. */
function matchesInUnicode(issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'invalid_format' || issue.pattern === undefined) return false;
  return new RegExp(issue.pattern.slice(1, issue.pattern.lastIndexOf('/')), 'u').test(String(issue.input));
}

/** The name of the nested field that a problem is of. */
function labelOf(path: readonly PropertyKey[]): string {
  return labelFromName(String(path.findLast((part) => typeof part === 'string')));
}

/** JSON Schema has no message for a pattern, and the description of the parameter says what it takes. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  return (
    issueMessage(issue) ?? (issue.code === 'invalid_format' ? 'Does not match the format described here' : undefined)
  );
}
