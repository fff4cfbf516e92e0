import { recipes } from '@media-jobs/video/recipes';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parametersFromSchema, valueLabel } from '../../src/new-job/parameter.ts';
import { recipeDescriptions, recipeNamed } from '../builders/recipe-descriptions.ts';

it.each(recipeDescriptions)('the form of $name has a field for each parameter', ({ name, parameters }) => {
  const fields = parametersFromSchema(parameters);
  const recipe = recipes.find((candidate) => candidate.name === name);
  expect(fields.map((field) => field.name)).toEqual(Object.keys(recipe?.parameters.shape ?? {}));
  for (const { kind, choices } of fields) expect(choices.length > 0).toBe(kind === 'choice');
  // Objects and lists of objects have fields of their own.
  const asJson = fields.filter(({ kind }) => kind === 'json').map((field) => field.name);
  expect(asJson).toEqual([]);
});

describe('a parameter', () => {
  const parameterOf = (name: string, schema: z.ZodType) =>
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
    ['poster', z.url(), 'url'],
    ['language', z.string(), 'text'],
    ['at', z.union([z.number(), z.literal('best')]), 'text'],
    ['heights', z.array(z.int()), 'list'],
    ['box', z.object({ x: z.number() }), 'group'],
    ['captions', z.array(z.object({ url: z.url(), language: z.string() })), 'rows'],
    ['deep', z.object({ box: z.object({ x: z.object({ y: z.any() }) }) }), 'json'],
  ] as const)('%s with the schema %o has a field of kind %s', (name, schema, kind) => {
    expect(parameterOf(name, schema)?.kind).toBe(kind);
  });

  it('with a slider has round steps', () => {
    const schemas = [z.number().min(0).max(1), z.number().min(0.25).max(4), z.number().min(1).max(51)];
    expect(schemas.map((schema) => parameterOf('x', schema)?.step)).toEqual([0.01, 0.05, 1]);
  });

  it('with value labels describes each value', () => {
    const crf = parametersFromSchema(recipeNamed('compress').parameters).find(({ name }) => name === 'crf');
    const labels = [17, 18, 29, 51].map((value) => crf && valueLabel(value, crf));
    expect(labels).toEqual([
      'Looks like the source, large file',
      'Hard to tell from the source',
      'Small, with visible loss',
      'Very small, rough',
    ]);
  });
});
