import { expect, it } from 'vitest';
import { addStep, type Draft, newDraft } from '../../src/new-job/draft.ts';
import { parametersFromSchema } from '../../src/new-job/parameter.ts';
import { validateDraft, validateParameters } from '../../src/new-job/validate-draft.ts';
import { joiningRecipe, recipeDescriptions, recipeNamed } from '../builders/recipe-descriptions.ts';

it.each(recipeDescriptions)(
  'the defaults of $name are valid, and required parameters are missing',
  ({ parameters }) => {
    const required = parametersFromSchema(parameters).filter((field) => field.required);
    const missing = required.map((field) => field.name);
    expect(validateParameters(parameters, {})).toEqual({ problems: {}, missing });
  },
);

it('each invalid parameter has a readable problem', () => {
  const values = { crf: 99, preset: 'veryfast', maxWidth: 17.5, maxHeight: 1 };
  expect(validateParameters(recipeNamed('compress').parameters, values)).toEqual({
    problems: {
      crf: 'Must be at most 51',
      maxWidth: 'Must be a whole number',
      maxHeight: 'Must be at least 16',
    },
    missing: [],
  });
});

it('a draft has the problems and missing parameters of each step', () => {
  const clip = { recipe: recipeNamed('clip'), parameters: { end: 0 } };
  const watermark = { recipe: recipeNamed('watermark'), parameters: {} };
  const earlierSteps = addStep(addStep([], clip), watermark);
  const draft: Draft = { ...newDraft(recipeNamed('compress')), earlierSteps, parameters: { crf: 99 } };
  expect(validateDraft(draft)).toEqual({
    problems: { 'steps.0.recipe.end': 'Must be at least 0.1', 'steps.2.recipe.crf': 'Must be at most 51' },
    missing: ['image'],
  });
});

it('an empty file is a problem of its input', () => {
  const [empty, video] = [new File([], 'empty.mp4'), new File(['video'], 'video.mp4')];
  const problemsOf = (recipe: Draft['recipe'], sources: File[]) =>
    validateDraft({ ...newDraft(recipe), sources }).problems;
  const problem = 'This file is empty: choose another one';
  expect(problemsOf(recipeNamed('compress'), [empty])).toEqual({ 'input.url': problem });
  expect(problemsOf(joiningRecipe, [video, empty])).toEqual({ 'inputs.1.url': problem });
  expect(problemsOf(recipeNamed('compress'), [video])).toEqual({});
});

it('patterns of Unicode hold, and a nested problem names its field', () => {
  const { parameters } = recipeNamed('hls');
  const url = 'https://example.com/de.vtt';
  const problemsOf = (subtitles: object[]) => validateParameters(parameters, { subtitles }).problems;
  expect(problemsOf([{ url, language: 'de', name: 'Österreichisch (AT)' }])).toEqual({});
  expect(problemsOf([{ url, language: 'de', name: '<b>' }])).toEqual({
    subtitles: 'Name: Does not match the format described here',
  });
  expect(problemsOf([{ url }])).toEqual({ subtitles: expect.stringMatching(/^Language: /) });
});
