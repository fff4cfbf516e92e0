import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  findConflicts,
  findRecipe,
  formatSchema,
  planRecipe,
  recipeRequestSchema,
  recipes,
} from '../../src/recipes/registry.ts';
import { exampleFiles } from '../builders/recipes/example-files.ts';
import { exampleProbe } from '../builders/recipes/example-probe.ts';

describe.each(recipes.map((recipe) => [recipe.name, recipe] as const))('the recipe %s', (name, recipe) => {
  it('is found by its name', () => expect(findRecipe(name)).toBe(recipe));

  it('has an example that is a valid request and can be planned', () => {
    const request = recipeRequestSchema.parse(recipe.example.recipe);
    const { format } = recipe.example.output;
    expect(findConflicts(request, format)).toEqual([]);
    const probe = exampleProbe(name);
    const files = { inputPath: '/job/input', outputDirectory: '/job/out', ...exampleFiles(request) };
    const plan = planRecipe(request, { probe, format, ...files });
    expect(plan.outputs.length).toBeGreaterThan(0);
    expect(plan.outputs.some((output) => output.name !== 'output')).toBe(recipe.severalOutputs === true);
    expect(plan.outputs.map((output) => output.format)).toContain(format);
  });

  it('documents every parameter in its JSON Schema', () => {
    const schema = z.toJSONSchema(recipe.parameters, { io: 'input' });
    expect(schema.additionalProperties).toBe(false);
    for (const property of Object.values(schema.properties ?? {})) {
      expect(property).toMatchObject({ description: expect.stringMatching(/\w{3,}.*\.$/) });
    }
  });

  it('describes no codec that it does not offer', () => {
    const { properties = {} } = z.toJSONSchema(recipe.parameters, { io: 'input' });
    const texts = Object.values(properties).map((property) => JSON.stringify(property));
    const isOffered = (codec: string) => texts.some((text) => text.includes(`"${codec}"`));
    for (const codec of ['av1', 'vp9', 'h265'].filter((each) => !isOffered(each)))
      expect(texts.filter((text) => new RegExp(`\\b${codec}\\b`, 'i').test(text))).toEqual([]);
  });

  it('rejects an unknown parameter by name', () => {
    const { error } = recipeRequestSchema.safeParse({ ...recipe.example.recipe, colour: 'mauve' });
    expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['colour'] }]);
  });

  it('names its formats in the error for another format', () => {
    const other = formatSchema.options.find((format) => !(recipe.formats as readonly string[]).includes(format));
    if (!other) throw new Error('This recipe takes every format');
    const conflicts = findConflicts(recipeRequestSchema.parse(recipe.example.recipe), other);
    expect(conflicts).toMatchObject([{ path: 'output.format' }]);
    for (const format of recipe.formats) expect(conflicts[0]?.message).toContain(format);
  });
});

describe('a recipe request', () => {
  it('gets the defaults of its recipe', () => {
    expect(recipeRequestSchema.parse({ name: 'compress' })).toEqual({
      name: 'compress',
      crf: 28,
      preset: 'medium',
      audioBitrate: 128,
    });
  });

  it.each([
    [{ name: 'compress', crf: 99 }, ['crf']],
    [{ name: 'compress', crf: '28' }, ['crf']],
    [{ name: 'compress', maxWidth: 1279.5 }, ['maxWidth']],
    [{ name: 'transcode', crf: 30, bitrate: 1000 }, ['bitrate']],
    [{ name: 'resize' }, ['width']],
    [{ name: 'resize', width: 321 }, ['width']],
    [{ name: 'resize', width: 320, fit: 'cover' }, ['fit']],
    [{ name: 'clip', start: 3, end: 3 }, ['end']],
    [{ name: 'clip', start: -1 }, ['start']],
    [{ name: 'thumbnail', at: 'worst' }, ['at']],
    [{ name: 'thumbnails', every: 0 }, ['every']],
    [{ name: 'enlarge' }, ['name']],
    [{}, ['name']],
  ])('is rejected at the right path: %o', (request, path) => {
    expect(recipeRequestSchema.safeParse(request).error?.issues.map((issue) => issue.path)).toContainEqual(path);
  });

  it('has one JSON Schema over all recipes', () => {
    const { oneOf } = z.toJSONSchema(recipeRequestSchema, { io: 'input' });
    expect(oneOf).toHaveLength(recipes.length);
  });
});

describe('parameters that do not fit the format', () => {
  it.each([
    [{ codec: 'h264' }, 'webm', 'recipe.codec', 'The format webm takes vp9, av1, not h264'],
    [{ codec: 'vp9' }, 'mp4', 'recipe.codec', 'The format mp4 takes h264, h265, av1, not vp9'],
    [{ codec: 'av1' }, 'mov', 'recipe.codec', 'The format mov takes h264, h265, not av1'],
    [{ crf: 60 }, 'mp4', 'recipe.crf', 'The highest crf of h264 is 51'],
    [{ codec: 'av1', maxrate: 100_001 }, 'mp4', 'recipe.maxrate', 'The highest maxrate of av1 is 100000 kbit/s'],
    [
      { codec: 'av1', gop: 1, bitrate: 8000 },
      'mp4',
      'recipe.gop',
      'av1 takes gop 1 with crf, not with bitrate or targetSizeMb',
    ],
    [
      { codec: 'av1', gop: 1, targetSizeMb: 5 },
      'mp4',
      'recipe.gop',
      'av1 takes gop 1 with crf, not with bitrate or targetSizeMb',
    ],
  ] as const)('conflict: %o in %s', (parameters, format, path, message) => {
    const request = recipeRequestSchema.parse({ name: 'transcode', ...parameters });
    expect(findConflicts(request, format)).toEqual([{ path, message }]);
  });

  it('do not conflict with a format that fits', () => {
    const conflictsOf = (parameters: object) =>
      findConflicts(recipeRequestSchema.parse({ name: 'transcode', ...parameters }), 'webm');
    expect(conflictsOf({ crf: 60 })).toEqual([]);
    expect(conflictsOf({ codec: 'av1', maxrate: 100_000 })).toEqual([]);
    expect(conflictsOf({ codec: 'av1', gop: 1 })).toEqual([]);
    expect(conflictsOf({ codec: 'av1', gop: 2, bitrate: 8000 })).toEqual([]);
    expect(conflictsOf({ codec: 'vp9', maxrate: 200_000 })).toEqual([]);
  });
});
