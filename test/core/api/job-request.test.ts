import { expect, it } from 'vitest';
import { issueMessage } from '../../../core/api/issue-message.ts';
import { jobRequestSchema, requestUrls } from '../../../core/api/job-request.ts';

const input = { url: 'https://media.example/in.mp4' };
const output = { format: 'mp4' };
const inputList = (count: number) => Array.from({ length: count }, () => input);

function issues(differences: object) {
  const recipe = 'steps' in differences ? {} : { recipe: { name: 'concat' } };
  const request = { mode: 'recipe', output, ...recipe, ...differences };
  return jobRequestSchema
    .safeParse(request, { error: issueMessage })
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
  [
    'none for one that takes one',
    { recipe: { name: 'mute' } },
    'input',
    'Required: { "url": "https://example.com/video.mp4" }',
  ],
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
  expect(issues({ input, recipe, output: { format } })).toMatchObject([[`recipe.${path}`, expect.any(String)]]);
});

const encryption = { scheme: 'aes-128', key: '0'.repeat(32), keyUri: 'https://keys.example/film?a=1' };
const expectedUri = 'Must be an https URL of printable ASCII characters, without spaces, quotes and user info';
const streamOf = (differences: object) => ({ name: 'hls', encryption: { ...encryption, ...differences } });
const asStream = { input, output: { format: 'm3u8' } };

it('a stream may be encrypted with a content key, from a vector or without', () => {
  expect(issues({ ...asStream, recipe: streamOf({}) })).toBeUndefined();
  expect(issues({ ...asStream, recipe: streamOf({ iv: 'F'.repeat(32) }) })).toBeUndefined();
});

it.each<[string, string | undefined, string]>([
  ['key', undefined, 'Required'],
  ['key', 'secret'.repeat(5), 'Must be 16 bytes as 32 hexadecimal digits'],
  ['iv', '0x00', 'Must be 16 bytes as 32 hexadecimal digits'],
  ['scheme', 'cbcs', 'Must be "aes-128"; found "cbcs"'],
  ...[
    'http://keys.example/film',
    'https://user:secret@keys.example/film',
    'https://keys.example/film"\n#EXT-X-ENDLIST',
    'https://keys.example/\u00e9',
    'data:,secret',
    '/film.key',
  ].map((keyUri): [string, string, string] => ['keyUri', keyUri, expectedUri]),
])('an error about %s of an encryption does not repeat it: %j', (name, value, message) => {
  const found = issues({ ...asStream, recipe: streamOf({ [name]: value }) });
  expect(found).toEqual([[`recipe.encryption.${name}`, message]]);
  expect(JSON.stringify(found)).not.toContain('secret');
});

it('a step before the last cannot be encrypted', () => {
  const steps = [{ recipe: streamOf({}) }, { recipe: { name: 'mute' } }];
  expect(issues({ mode: 'pipeline', input, steps })).toContainEqual([
    'steps.0.recipe.encryption',
    'Only the last step can encrypt its files',
  ]);
});

it.each([
  ['a recipe', { input, recipe: { name: 'compress' } }, 'mp4, mov, mkv'],
  [
    'the last of the steps',
    { mode: 'pipeline', input, steps: [{ recipe: { name: 'mute' } }, { recipe: { name: 'thumbnail' } }] },
    'jpg, png, webp',
  ],
])('an unknown format is answered with the formats of %s', (_, request, formats) => {
  const message = `Must be one of ${formats}; found "avi"`;
  expect(issues({ ...request, output: { format: 'avi' } })).toEqual([['output.format', message]]);
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
    'files of a list',
    {
      mode: 'recipe',
      input: at('in.mp4'),
      output: { format: 'm3u8' },
      recipe: {
        name: 'hls',
        subtitles: [
          { ...at('en.vtt'), language: 'en' },
          { ...at('de.vtt'), language: 'de' },
        ],
      },
    },
    { 'input.url': at('in.mp4'), 'recipe.subtitles.0.url': at('en.vtt'), 'recipe.subtitles.1.url': at('de.vtt') },
  ],
  [
    'the files of a step',
    { mode: 'pipeline', input: at('in.mp4'), steps: [{ recipe: { name: 'mute' } }, { recipe: watermark }] },
    { 'input.url': at('in.mp4'), 'steps.1.recipe.image': at('logo.png') },
  ],
] as const)('each URL of a request is listed with its path: %s', (_, request, expected) => {
  const found = requestUrls(jobRequestSchema.parse({ output, ...request }));
  expect(Object.fromEntries(found.map(({ path, url }) => [path, { url }]))).toEqual(expected);
});
