import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { queuedJobExample } from '@media-jobs/core/api';
import { aPipelineRequest } from '@media-jobs/testing/a-pipeline';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { recipes } from '@media-jobs/video/recipes';
import { beforeEach, describe, expect, it } from 'vitest';
import { submitCommandLine } from '../../src/formatting/command-line.ts';
import { exampleRequest } from '../../src/request/build-request.ts';
import { parameterNames } from '../../src/request/job-options.ts';
import { recipeParameters } from '../../src/request/recipe-parameters.ts';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';
import { shellArguments } from '../builders/shell-arguments.ts';

const api = await aStubApi({ 'POST /api/v1/jobs': { status: 201, body: queuedJobExample } });
beforeEach(() => void api.requests.splice(0));

const submit = (...args: string[]) => runCli(['submit', ...args], { baseUrl: api.origin });
const url = 'https://media.example/video.mov';

it.each([...recipes])('the command line of the example of $name sends exactly its request', async (recipe) => {
  const request = {
    ...exampleRequest(recipe, (index) => `${url}?part=${index}`),
    webhookUrl: 'https://example.com/hook?a=1&b=2',
    speed: 'fast' as const,
    metadata: { note: "it's $HOME = `x`" },
  };
  const { exitCode, err } = await submit(...shellArguments(submitCommandLine(request, 'media-jobs')));
  expect(exitCode, err).toBe(0);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual(request);
});

const outputs = {
  poster: { recipe: { name: 'thumbnail', at: 2 }, format: 'jpg' },
  small: {
    ...{ recipe: { name: 'compress', maxWidth: 640, crf: 30 }, format: 'mp4' },
    ...{ when: { minHeight: 720 }, optional: true },
  },
  heights: { from: 'small', recipe: { name: 'renditions', heights: [720, 360] }, format: 'mp4' },
  sound: {
    from: 'small',
    recipe: { name: 'extract-audio', tags: { title: 'Part 1, the start', date: '2026' } },
    format: 'mp3',
  },
};

it.each([
  ['a pipeline', aPipelineRequest(url)],
  ['several outputs', { mode: 'outputs', input: { url }, outputs, keepDays: 7, maxCostUsd: 1 }],
  [
    'a list',
    {
      mode: 'recipe',
      input: { url: "https://media.example/it's $HOME `x`.mp4" },
      output: { format: 'mp4' },
      recipe: { name: 'renditions', heights: [720, 360] },
    },
  ],
])('the command line of %s sends exactly its request', async (_, request) => {
  const { exitCode, err } = await submit(...shellArguments(submitCommandLine(request, 'media-jobs')));
  expect(exitCode, err).toBe(0);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual(request);
});

describe('submit of several outputs', () => {
  const options = [
    'poster=thumbnail,at=2',
    'small=compress:mp4,max-width=640,crf=30,when.minHeight=720,optional=true',
    'heights=renditions:mp4,from=small,heights=720,360',
    'sound=extract-audio:mp3,from=small,tags.title=Part 1, the start,tags.date=2026',
  ].flatMap((output) => ['--output', output]);

  it.each([
    ['options', options],
    ['JSON', ['--outputs', JSON.stringify(outputs)]],
  ])('takes them as %s', async (_, args) => {
    const { exitCode, err } = await submit(url, ...args);
    expect(exitCode, err).toBe(0);
    expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ mode: 'outputs', input: { url }, outputs });
  });

  it.each([
    ['3', 3],
    ['forever', null],
  ])('takes them of a file, with options for each that is delivered, kept %s', async (days, keepDays) => {
    const workingDirectory = await aTemporaryFolder();
    const unread = { poster: outputs.poster, hidden: { ...outputs.small, deliver: false } };
    const read = { ...unread, sound: { from: 'hidden', recipe: { name: 'extract-audio' } } };
    await writeFile(join(workingDirectory, 'outputs.json'), JSON.stringify(read));
    const args = ['--outputs', 'outputs.json', '--no-output-provider', '--keep-days', days];
    const { exitCode, err } = await runCli(['submit', url, ...args], { baseUrl: api.origin, workingDirectory });
    expect(exitCode, err).toBe(0);
    expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({
      keepDays,
      outputs: { poster: { storageProviderId: null }, hidden: unread.hidden, sound: { format: expect.any(String) } },
    });
  });
});

it('submit has an option for every parameter of every recipe', () => {
  const all = recipes.flatMap((recipe) => recipeParameters(recipe).map(({ name }) => name));
  expect(parameterNames()).toEqual([...new Set(all)]);
});

it('submit defaults to the first format of the recipe and sends only given parameters', async () => {
  await submit(url, '--recipe', 'gif', '--no-loop', '--start', '.5');
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({
    mode: 'recipe',
    input: { url },
    output: { format: 'gif' },
    recipe: { name: 'gif', start: 0.5, loop: false },
  });
});

it.each([
  ['mov', ['--recipe', 'transcode', '--codec', 'prores']],
  ['webm', ['--recipe', 'transcode', '--codec', 'vp9']],
  ['mov', ['--steps', '[{"recipe":{"name":"mute"}},{"recipe":{"name":"transcode","codec":"prores"}}]']],
])('submit chooses %s, the first format that the parameters allow, for %j', async (format, args) => {
  const { exitCode, err } = await submit(url, ...args);
  expect(exitCode, err).toBe(0);
  expect(JSON.parse(api.requests[0]?.body ?? '').output).toEqual({ format });
});

it('submit takes subtitles by language, several times', async () => {
  const [english, german] = ['https://media.example/en.srt', 'https://media.example/de.srt'];
  await submit(url, '--recipe', 'hls', '--subtitles', `en=${english}`, '--subtitles', `de=${german}`);
  const { recipe } = JSON.parse(api.requests.at(-1)?.body ?? '');
  const [en, de] = [
    { language: 'en', url: english },
    { language: 'de', url: german },
  ];
  expect(recipe.subtitles).toEqual([en, de]);
});

it('submit sends the given idempotency key, or generates one', async () => {
  await submit(url, '--recipe', 'mute', '--idempotency-key', 'order 4711');
  await submit(url, '--recipe', 'mute');
  expect(api.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order 4711', 'id-1']);
});

const unknownOutcome =
  /may or may not have been submitted\. A rerun with --idempotency-key id-1 makes no second job\. To check: /;

it.each([
  ['a refusal', [422], /No job was submitted\./],
  ['throttling', [429], /No job was submitted\./],
  ['an outage', [503], unknownOutcome],
  ['an outage and throttling', [504, 429], unknownOutcome],
  ['a lost response and throttling', [0, 429], unknownOutcome],
  ['a lost response and a refusal', [0, 401], unknownOutcome],
])('submit says after %s what became of the job', async (_, statuses, expected) => {
  const error = { code: 'ANY', message: 'Failed', retryable: true, requestId: 'r-1' };
  const stub = await aStubApi({ 'POST /api/v1/jobs': statuses.map((status) => ({ status, body: { error } })) });
  const { err } = await runCli(['submit', url, '--recipe', 'mute'], { baseUrl: stub.origin });
  expect(err).toMatch(expected);
  expect(err.match(/submitted/g)).toHaveLength(1);
});
