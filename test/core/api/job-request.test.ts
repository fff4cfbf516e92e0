import { expect, it } from 'vitest';
import { jobRequestSchema, requestUrls } from '../../../core/api/job-request.ts';

const input = { url: 'https://media.example/in.mp4' };
const output = { format: 'mp4' };
const inputList = (count: number) => Array.from({ length: count }, () => input);

function issues(differences: object) {
  const recipe = 'steps' in differences ? {} : { recipe: { name: 'concat' } };
  const request = { mode: 'recipe', output, ...recipe, ...differences };
  return jobRequestSchema
    .safeParse(request)
    .error?.issues.map(({ path, message }) => [path.join('.'), message]);
}

it.each([2, 20])('a recipe for several inputs takes %i', (count) => {
  expect(issues({ inputs: inputList(count) })).toBeUndefined();
});

it.each([0, 1, 21])('a recipe for several inputs does not take %i', (count) => {
  const paths = issues({ inputs: inputList(count) })?.map(([path]) => path);
  expect(new Set(paths)).toEqual(new Set(['inputs']));
});

it.each([
  ['none', {}, 'inputs', 'The recipe concat takes 2 to 20 inputs'],
  ['one as input', { input }, 'input', 'The recipe concat takes 2 to 20 inputs: give them as inputs'],
  [
    'several for one that takes one',
    { inputs: inputList(2), recipe: { name: 'mute' } },
    'inputs',
    'The recipe mute takes one input: give it as input',
  ],
  ['none for one that takes one', { recipe: { name: 'mute' } }, 'input', 'Required'],
] as const)('an error about inputs has their path: %s', (_, differences, path, message) => {
  expect(issues(differences)).toContainEqual([path, message]);
});

it('a recipe for several inputs cannot be a step of a pipeline', () => {
  const steps = [{ recipe: { name: 'concat' } }];
  expect(issues({ mode: 'pipeline', input, steps })).toEqual([
    ['steps.0.recipe.name', 'The recipe concat takes several inputs, but a step has one'],
  ]);
});

it.each([
  ['image', { name: 'watermark' }, 'mp4'],
  ['image', { name: 'watermark', image: `https://media.example/${'x'.repeat(2048)}` }, 'mp4'],
  ['subtitles', { name: 'burn-subtitles', subtitles: 7 }, 'mp4'],
] as const)('an error about an asset URL has its path: %s', (path, recipe, format) => {
  expect(issues({ input, recipe, output: { format } })).toMatchObject([
    [`recipe.${path}`, expect.any(String)],
  ]);
});

const at = (name: string) => ({ url: `https://media.example/${name}` });
const watermark = { name: 'watermark', image: at('logo.png').url };

it.each([
  [
    'an input and a file that a parameter names',
    { mode: 'recipe', input: at('in.mp4'), recipe: watermark },
    { 'input.url': at('in.mp4'), 'recipe.image': at('logo.png') },
  ],
  [
    'several inputs',
    { mode: 'recipe', inputs: [at('a.mp4'), at('b.mp4')], recipe: { name: 'concat' } },
    { 'inputs.0.url': at('a.mp4'), 'inputs.1.url': at('b.mp4') },
  ],
  [
    'the files of a step',
    { mode: 'pipeline', input: at('in.mp4'), steps: [{ recipe: { name: 'mute' } }, { recipe: watermark }] },
    { 'input.url': at('in.mp4'), 'steps.1.recipe.image': at('logo.png') },
  ],
] as const)('each URL of a request is listed with its path: %s', (_, request, expected) => {
  const found = requestUrls(jobRequestSchema.parse({ ...request, output }));
  expect(Object.fromEntries(found.map(({ path, url }) => [path, { url }]))).toEqual(expected);
});
