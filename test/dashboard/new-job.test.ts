import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ApiError } from '../../client/api-error.ts';
import { recipes } from '../../core/recipes/registry.ts';
import { checkParameters } from '../../dashboard/new-job/check-parameters.ts';
import { type Draft, newDraft, requestOf, withRecipe } from '../../dashboard/new-job/draft.ts';
import { parametersOf } from '../../dashboard/new-job/parameter.ts';
import { problemsOf } from '../../dashboard/new-job/request-problems.ts';

const described = recipes.map(({ name, title, description, parameters, formats }) => ({
  name,
  title,
  description,
  parameters: z.toJSONSchema(parameters, { io: 'input' }) as Record<string, unknown>,
  outputFormats: [...formats],
  exampleRequest: {},
}));

describe.each(described)('the form of $name', ({ name, parameters }) => {
  it('has a control for each of its parameters', () => {
    const fields = parametersOf(parameters);
    const recipe = recipes.find((one) => one.name === name);
    expect(fields.map((field) => field.name)).toEqual(Object.keys(recipe?.parameters.shape ?? {}));
    for (const { kind, choices } of fields) expect(choices.length > 0).toBe(kind === 'choice');
  });

  it('has nothing against the defaults', () => {
    const required = parametersOf(parameters).filter((field) => field.required);
    expect(Object.keys(checkParameters(parameters, {}))).toEqual(required.map((field) => field.name));
  });
});

const compress = described.find(({ name }) => name === 'compress');
const thumbnails = described.find(({ name }) => name === 'thumbnails');
if (compress === undefined || thumbnails === undefined) throw new Error('The recipes of the test are gone');

describe('a draft', () => {
  it('becomes a request with what was chosen, and nothing else', () => {
    const draft: Draft = { ...newDraft(compress), parameters: { crf: 30 }, webhookUrl: ' ' };
    expect(requestOf(draft, 'https://media.example/in.mp4')).toEqual({
      mode: 'recipe',
      input: { url: 'https://media.example/in.mp4' },
      output: { format: 'mp4' },
      recipe: { name: 'compress', crf: 30 },
    });
  });

  it('keeps its input and forgets its parameters when the recipe changes', () => {
    const draft = { ...newDraft(compress), url: 'https://media.example/in.mp4', parameters: { crf: 30 } };
    expect(withRecipe(draft, thumbnails)).toMatchObject({ url: draft.url, parameters: {}, format: 'jpg' });
  });
});

it('says of each parameter what is wrong with it', () => {
  const problems = checkParameters(compress.parameters, { crf: 99, preset: 'veryfast', maxWidth: 1.5 });
  expect(Object.keys(problems).sort()).toEqual(['crf', 'maxWidth']);
});

describe('what the API has against a request', () => {
  const refusal = (details: { path: string; message: string }[]) =>
    new ApiError({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'The request is not valid.',
      retryable: false,
      details,
    });

  it('is said at the fields where it belongs', () => {
    expect(problemsOf(refusal([{ path: 'recipe.width', message: 'Give a width' }]))).toEqual({
      fields: { 'recipe.width': 'Give a width' },
    });
  });

  it('is said of the whole where no field is', () => {
    expect(problemsOf(refusal([{ path: 'metadata', message: 'too many' }]))).toEqual({
      fields: {},
      general: 'The request is not valid.',
    });
  });
});
