import { expect, it } from 'vitest';
import { jobRequestSchema, requestUrls } from '../../../core/api/job-request.ts';

const output = { format: 'mp4' };
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
] as const)('the URLs of a request are found where they stand: %s', (_, request, expected) => {
  const found = requestUrls(jobRequestSchema.parse({ ...request, output }));
  expect(Object.fromEntries(found.map(({ path, url }) => [path, { url }]))).toEqual(expected);
});
