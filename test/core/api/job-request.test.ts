import { expect, it } from 'vitest';
import { jobRequestSchema } from '../../../core/api/job-request.ts';

const input = { url: 'https://media.example/in.mp4' };
const output = { format: 'mp4' };
const several = (count: number) => Array.from({ length: count }, () => input);

function issues(differences: object) {
  const recipe = 'steps' in differences ? {} : { recipe: { name: 'concat' } };
  const request = { mode: 'recipe', output, ...recipe, ...differences };
  return jobRequestSchema
    .safeParse(request)
    .error?.issues.map(({ path, message }) => [path.join('.'), message]);
}

it.each([2, 20])('a recipe for several inputs takes %i', (count) => {
  expect(issues({ inputs: several(count) })).toBeUndefined();
});

it.each([0, 1, 21])('a recipe for several inputs does not take %i', (count) => {
  const places = issues({ inputs: several(count) })?.map(([path]) => path);
  expect(new Set(places)).toEqual(new Set(['inputs']));
});

it.each([
  ['none', {}, 'inputs', 'The recipe concat takes 2 to 20 inputs'],
  ['one as input', { input }, 'input', 'The recipe concat takes 2 to 20 inputs: give them as inputs'],
  [
    'several for one that takes one',
    { inputs: several(2), recipe: { name: 'mute' } },
    'inputs',
    'The recipe mute takes one input: give it as input',
  ],
  ['none for one that takes one', { recipe: { name: 'mute' } }, 'input', 'Required'],
] as const)('inputs are told where they are wrong: %s', (_, differences, path, message) => {
  expect(issues(differences)).toContainEqual([path, message]);
});

it('a recipe for several inputs is no step of a pipeline', () => {
  const steps = [{ recipe: { name: 'concat' } }];
  expect(issues({ mode: 'pipeline', input, steps })).toEqual([
    ['steps.0.recipe.name', 'The recipe concat takes several inputs, which no step has'],
  ]);
});

it.each([
  ['image', { name: 'watermark' }, 'mp4'],
  ['image', { name: 'watermark', image: `https://media.example/${'x'.repeat(2048)}` }, 'mp4'],
  ['subtitles', { name: 'burn-subtitles', subtitles: 7 }, 'mp4'],
] as const)('the URL of a file besides the input is told by its place: %s', (path, recipe, format) => {
  expect(issues({ input, recipe, output: { format } })).toMatchObject([
    [`recipe.${path}`, expect.any(String)],
  ]);
});
