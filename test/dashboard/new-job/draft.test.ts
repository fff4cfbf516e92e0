import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ApiError } from '../../../client/api-error.ts';
import type { JobResource } from '../../../core/api/job-resource.ts';
import { recipes } from '../../../core/recipes/registry.ts';
import {
  type Draft,
  draftFromJob,
  draftToRequest,
  filesToUpload,
  newDraft,
  type RecipeDescription,
  withRecipe,
} from '../../../dashboard/new-job/draft.ts';
import { addStep } from '../../../dashboard/new-job/draft-step.ts';
import { parametersFromSchema } from '../../../dashboard/new-job/parameter.ts';
import { requestProblems } from '../../../dashboard/new-job/request-problems.ts';
import { validateDraft } from '../../../dashboard/new-job/validate-draft.ts';
import { validateParameters } from '../../../dashboard/new-job/validate-parameters.ts';
import { aPipelineRequest } from '../../builders/jobs/a-pipeline.ts';

const described = recipes.map(({ name, title, description, parameters, formats, comparison, example }) => ({
  name,
  title,
  description,
  parameters: z.toJSONSchema(parameters, { io: 'input' }) as Record<string, unknown>,
  outputFormats: [...formats] as string[],
  comparison,
  exampleRequest: { mode: 'recipe', input: { url: 'https://media.example/in.mp4' }, ...example } as Record<
    string,
    unknown
  >,
}));

function recipeCalled(name: string): RecipeDescription {
  const recipe = described.find((one) => one.name === name);
  if (recipe === undefined) throw new Error(`There is no recipe ${name}`);
  return recipe;
}

/** A recipe that joins films, as the API describes one whose request has `inputs`. */
const joining: RecipeDescription = {
  ...recipeCalled('mute'),
  name: 'concat',
  exampleRequest: {
    inputs: [{ url: 'https://media.example/1.mp4' }, { url: 'https://media.example/2.mp4' }],
  },
};

describe.each(described)('the form of $name', ({ name, parameters }) => {
  it('has a control for each of its parameters', () => {
    const fields = parametersFromSchema(parameters);
    const recipe = recipes.find((one) => one.name === name);
    expect(fields.map((field) => field.name)).toEqual(Object.keys(recipe?.parameters.shape ?? {}));
    for (const { kind, choices } of fields) expect(choices.length > 0).toBe(kind === 'choice');
    expect(fields.map(({ kind }) => kind)).not.toContain('json');
  });

  it('has nothing against the defaults, and knows what has none', () => {
    const required = parametersFromSchema(parameters).filter((field) => field.required);
    const missing = required.map((field) => field.name);
    expect(validateParameters(parameters, {})).toEqual({ problems: {}, missing });
  });
});

describe('a parameter', () => {
  const kindOf = (name: string, schema: z.ZodType) =>
    parametersFromSchema(z.toJSONSchema(z.object({ [name]: schema }), { io: 'input' }))[0];

  it.each([
    ['preset', z.enum(['fast', 'slow']), 'choice'],
    ['degrees', z.literal([0, 90, 180]), 'choice'],
    ['fit', z.union([z.literal('contain'), z.literal('cover')]).optional(), 'choice'],
    ['opacity', z.number().min(0).max(1), 'slider'],
    ['crf', z.number().min(1).max(51).default(28), 'slider'],
    ['width', z.int().min(16).max(8192), 'number'],
    ['seconds', z.number().min(0.1).max(60), 'number'],
    ['start', z.number().min(0), 'number'],
    ['loop', z.boolean().default(true), 'switch'],
    ['imageUrl', z.string().min(1).max(2048), 'url'],
    ['picture', z.url(), 'url'],
    ['language', z.string(), 'text'],
    ['at', z.union([z.number(), z.literal('best')]), 'text'],
    ['heights', z.array(z.int()), 'list'],
    ['box', z.object({ x: z.number() }), 'json'],
  ] as const)('%s of %o is a %s', (name, schema, kind) => {
    expect(kindOf(name, schema)?.kind).toBe(kind);
  });

  it('is dragged in round steps', () => {
    const steps = [z.number().min(0).max(1), z.number().min(0.25).max(4), z.number().min(1).max(51)];
    expect(steps.map((schema) => kindOf('x', schema)?.step)).toEqual([0.01, 0.05, 1]);
  });
});

describe('a draft', () => {
  const url = 'https://media.example/in.mp4';

  it('becomes a request with what was chosen, and nothing else', () => {
    const draft: Draft = { ...newDraft(recipeCalled('compress')), sources: [url], parameters: { crf: 30 } };
    expect(draftToRequest(draft)).toEqual({
      mode: 'recipe',
      input: { url },
      output: { format: 'mp4' },
      recipe: { name: 'compress', crf: 30 },
    });
  });

  it('keeps its input and forgets its parameters when the recipe changes', () => {
    const draft: Draft = { ...newDraft(recipeCalled('compress')), sources: [url], parameters: { crf: 30 } };
    const other = withRecipe(draft, recipeCalled('thumbnails'));
    expect(other).toMatchObject({ sources: [url], parameters: {}, format: 'jpg' });
  });

  it('has a value at once for what the recipe leaves to nobody', () => {
    const { parameters, recipe } = newDraft(recipeCalled('speed'));
    expect(validateParameters(recipe.parameters, parameters)).toEqual({ problems: {}, missing: [] });
  });

  it('has places for two inputs where a recipe joins several, and sends them in their order', () => {
    const draft = withRecipe({ ...newDraft(recipeCalled('mute')), sources: [url] }, joining);
    expect(draft.sources).toEqual([url, '']);
    const whole = { ...draft, sources: [url, 'https://media.example/next.mp4'] };
    expect(draftToRequest(whole)).toMatchObject({
      inputs: [{ url }, { url: 'https://media.example/next.mp4' }],
    });
    expect(withRecipe(whole, recipeCalled('mute')).sources).toEqual([url]);
  });

  it('names each of its files by what the upload has called it', () => {
    const [film, mark] = [new File(['film'], 'film.mp4'), new File(['mark'], 'mark.png')];
    const draft: Draft = { ...newDraft(joining), sources: [film, film], parameters: { imageUrl: mark } };
    expect(filesToUpload(draft)).toEqual([film, mark]);
    const names = new Map([
      [film, 'upload://1/film.mp4'],
      [mark, 'upload://2/mark.png'],
    ]);
    expect(draftToRequest(draft, (source) => names.get(source as File) ?? '')).toMatchObject({
      inputs: [{ url: 'upload://1/film.mp4' }, { url: 'upload://1/film.mp4' }],
      recipe: { imageUrl: 'upload://2/mark.png' },
    });
  });

  it('of several steps becomes a pipeline, whose files are uploaded as well', () => {
    const mark = new File(['mark'], 'mark.png');
    const first = newDraft(recipeCalled('compress'));
    const watermark = { recipe: recipeCalled('watermark'), parameters: { image: mark }, name: 'marked' };
    const earlierSteps = addStep(
      addStep([], { recipe: recipeCalled('clip'), parameters: { end: 5 } }),
      watermark,
    );
    const draft: Draft = { ...first, sources: [url], earlierSteps, parameters: { crf: 30 } };
    expect(filesToUpload(draft)).toEqual([mark]);
    expect(draftToRequest(draft, (source) => (source === mark ? 'upload://1/mark.png' : url))).toEqual({
      mode: 'pipeline',
      input: { url },
      output: { format: 'mp4' },
      steps: [
        { recipe: { name: 'clip', end: 5 } },
        { name: 'marked', recipe: { name: 'watermark', image: 'upload://1/mark.png' } },
        { recipe: { name: 'compress', crf: 30 } },
      ],
    });
  });

  it('is told what is wrong with each step, and what it still needs', () => {
    const clip = { recipe: recipeCalled('clip'), parameters: { end: 0 } };
    const watermark = { recipe: recipeCalled('watermark'), parameters: {} };
    const earlierSteps = addStep(addStep([], clip), watermark);
    const draft: Draft = { ...newDraft(recipeCalled('compress')), earlierSteps, parameters: { crf: 99 } };
    expect(validateDraft(draft)).toEqual({
      problems: { 'steps.0.recipe.end': 'At least 0.1', 'steps.2.recipe.crf': 'At most 51' },
      missing: ['image'],
    });
  });

  it('begins with the steps and the pairs of another job', () => {
    const request = aPipelineRequest(url);
    const metadata = { order: '4711' };
    const draft = draftFromJob({ request, metadata } as unknown as JobResource, described);
    expect(draft && draftToRequest(draft)).toEqual({ ...request, metadata });
  });

  it('begins with what another job has asked for', () => {
    const first: Draft = {
      ...newDraft(recipeCalled('resize')),
      sources: [url],
      format: 'webm',
      speed: 'fast',
    };
    const request = draftToRequest(first);
    const job = { request: { ...request, recipe: { name: 'resize', width: 640 } } };
    const draft = draftFromJob(job as unknown as JobResource, described);
    expect(draft && draftToRequest(draft)).toEqual(job.request);
  });
});

it('says of each parameter what is wrong with it, in words', () => {
  const values = { crf: 99, preset: 'veryfast', maxWidth: 17.5, maxHeight: 1 };
  expect(validateParameters(recipeCalled('compress').parameters, values)).toEqual({
    problems: { crf: 'At most 51', maxWidth: 'A whole number', maxHeight: 'At least 16' },
    missing: [],
  });
});

it('gives a step that is added another id than those that are there', () => {
  const step = { recipe: recipeCalled('mute'), parameters: {} };
  const [, second] = addStep(addStep([], step), step);
  const more = addStep(second === undefined ? [] : [second], step);
  expect(more.map(({ id }) => id)).toEqual([1, 2]);
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
    expect(requestProblems(refusal([{ path: 'recipe.width', message: 'Give a width' }]))).toEqual({
      fields: { 'recipe.width': 'Give a width' },
    });
  });

  it('is said of the whole where no field is', () => {
    expect(requestProblems(refusal([{ path: 'metadata', message: 'too many' }]))).toEqual({
      fields: {},
      general: 'The request is not valid.',
    });
  });
});
