import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JobResource, queuedJobExample } from '@media-jobs/core/api';
import { aPipelineRequest } from '@media-jobs/testing/a-pipeline';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { recipes } from '@media-jobs/video/recipes';
import type { WebServer } from '@media-jobs/video/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { submitCommandLine } from '../../src/formatting/command-line.ts';
import { exampleRequest } from '../../src/request/build-request.ts';
import { parameterNames } from '../../src/request/recipe-options.ts';
import { recipeParameters } from '../../src/request/recipe-parameters.ts';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

let api: WebServer;

beforeAll(async () => {
  api = await aStubApi({ 'POST /api/v1/jobs': { status: 201, body: queuedJobExample } });
});
beforeEach(() => {
  api.requests.length = 0;
});
afterAll(() => api.close());

const submit = (...args: string[]) => runCli(['submit', ...args], { baseUrl: api.origin });
const url = 'https://media.example/video.mov';

/** The arguments that a shell parses from a command line, without the program name. */
function shellArguments(commandLine: string): string[] {
  const script = commandLine.replace('media-jobs submit', 'printf "%s\\n"').replace(' \\\n  --wait', '');
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\n').slice(0, -1);
}

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
    'small=compress:mp4,max-width=640,crf=30,when={"minHeight":720},optional=true',
    'heights=renditions:mp4,from=small,heights=720,360',
  ].flatMap((output) => ['--output', output]);

  it.each([
    ['options', options],
    ['JSON', ['--outputs', JSON.stringify(outputs)]],
  ])('takes them as %s', async (_, args) => {
    const { exitCode, err } = await submit(url, ...args);
    expect(exitCode, err).toBe(0);
    expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ mode: 'outputs', input: { url }, outputs });
  });

  it('takes them of a file, with options for each that is delivered', async () => {
    const workingDirectory = await aTemporaryFolder();
    const unread = { poster: outputs.poster, hidden: { ...outputs.small, deliver: false } };
    const read = { ...unread, sound: { from: 'hidden', recipe: { name: 'extract-audio' } } };
    await writeFile(join(workingDirectory, 'outputs.json'), JSON.stringify(read));
    const args = ['--outputs', 'outputs.json', '--no-output-provider', '--keep-days', '3'];
    const { exitCode, err } = await runCli(['submit', url, ...args], { baseUrl: api.origin, workingDirectory });
    expect(exitCode, err).toBe(0);
    expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({
      keepDays: 3,
      outputs: { poster: { storageProviderId: null }, hidden: unread.hidden, sound: { format: expect.any(String) } },
    });
  });
});

describe('submit with storage providers', () => {
  const [archive, videos, other] = [1, 2, 3].map((digit) => `sp_${String(digit).repeat(32)}`);
  const providers = [
    { id: archive, name: 'Archive', bucket: 'archive', prefix: 'raw' },
    { id: videos, name: 'Videos', bucket: 'videos' },
    { id: other, name: 'Other', bucket: 'videos', prefix: 'new/' },
    { id: 'bucket:media', name: 'media', bucket: 'media', prefix: 'in/', allows: 'read' },
  ];

  async function submitToProviders(...args: string[]) {
    const stub = await aStubApi({
      'POST /api/v1/jobs': { status: 201, body: queuedJobExample },
      'GET /api/v1/storage-providers': { status: 200, body: { storageProviders: providers } },
    });
    const result = await runCli(['submit', ...args, '--recipe', 'mute'], { baseUrl: stub.origin });
    await stub.close();
    const sent = stub.requests.find(({ method }) => method === 'POST');
    return { ...result, body: sent && JSON.parse(sent.body) };
  }

  it.each([
    ['s3://archive/raw/a b%.mov', [], { storageProviderId: archive, key: 'a b%.mov' }],
    ['s3://videos/old.mov', [], { storageProviderId: videos, key: 'old.mov' }],
    ['s3://videos/new/a.mov', ['--provider', other], { storageProviderId: other, key: 'a.mov' }],
    ['s3://media/in/a.mov', [], { storageProviderId: 'bucket:media', key: 'a.mov' }],
    [`storage://${videos}/new/a%20b.mov`, [], { storageProviderId: videos, key: 'new/a b.mov' }],
  ] as [string, string[], object][])('reads %s %j', async (input, options, expected) => {
    const { body, err } = await submitToProviders(input, ...options);
    expect(body?.input, err).toEqual(expected);
  });

  it.each([
    ['s3://videos/new/a.mov', [], `Several storage providers have the bucket videos: ${videos} (Videos)`],
    ['s3://archive/a.mov', [], 'No storage provider has the key a.mov under its prefix.'],
    ['s3://archived/a.mov', [], 'No storage provider has the bucket archived.'],
    ['s3://videos/a.mov', ['--provider', archive], `${archive} does not have the key a.mov`],
    [url, ['--provider', videos], '--provider needs an input s3://bucket/key.'],
    [url, ['--output-provider', 'videos'], '--output-provider: Must be the id of a storage provider'],
    [url, ['--output-key', '{job}'], '--output-key: {job} is not one of {jobId}, {name}'],
  ] as [string, string[], string][])('rejects %s %j', async (input, options, message) => {
    const { exitCode, err, body } = await submitToProviders(input, ...options);
    expect(err).toContain(message);
    expect([exitCode, body]).toEqual([2, undefined]);
  });

  it('leaves an s3 URL to the service if its key may not list storage providers', async () => {
    const stub = await aStubApi({
      'POST /api/v1/jobs': { status: 201, body: queuedJobExample },
      'GET /api/v1/storage-providers': {
        status: 403,
        body: { error: { code: 'FORBIDDEN', message: 'The key lacks storage.', retryable: false, requestId: 'r' } },
      },
    });
    await runCli(['submit', 's3://media/in/a.mov', '--recipe', 'mute'], { baseUrl: stub.origin });
    await stub.close();
    const sent = stub.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({ input: { url: 's3://media/in/a.mov' } });
  });

  it.each<JobResource['request']['output']>([
    { format: 'mp4', storageProviderId: videos, key: "{date}/it's {name}.{extension}" },
    { format: 'mp4', storageProviderId: null },
    {
      ...{ format: 'mp4', storageProviderId: 'bucket:media', storageClass: 'STANDARD_IA', tags: { team: 'a b' } },
      headers: { cacheControl: 'max-age=60', contentDisposition: 'inline; filename="a b"' },
    },
  ])('the command line of the output %j sends exactly its request', async (output) => {
    const input = { storageProviderId: archive, key: "raw/it's 100 %.mov" };
    const request = { mode: 'recipe', input, output, recipe: { name: 'mute' } };
    const { exitCode, err } = await submit(...shellArguments(submitCommandLine(request, 'media-jobs')));
    expect(exitCode, err).toBe(0);
    expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual(request);
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

describe('submit rejects before any call', () => {
  it.each([
    [['--recipe', 'compress', '--crf', '99'], '--crf: Must be at most 51'],
    [['--recipe', 'compress', '--crf', 'high'], '--crf: Must be a number; found a string'],
    [['--recipe', 'compress', '--crf', '0x1c'], '--crf: Must be a number; found a string'],
    [['--recipe', 'compress', '--max-width', '12.5'], '--max-width: Must be a whole number'],
    [['--recipe', 'compress', '--degrees', '90'], '--degrees: The recipe has no such parameter'],
    [['--recipe', 'gif', '--format', 'mp4'], '--format: The recipe gif writes gif, not mp4'],
    [['--recipe', 'resize'], '--width: Must have width, height or both'],
    [['--recipe', 'transcode', '--codec', 'vp9'], '--codec: The format mp4 takes h264, h265, av1, not vp9'],
    [['--recipe', 'shrink'], 'Unknown recipe: shrink.\nThe recipes are'],
    [['--recipe', 'compres'], 'Unknown recipe: compres.\nDid you mean compress?'],
    [['--recipe', 'mute', '--metadata', 'customer'], 'Expected key=value.'],
    [['--recipe', 'mute', '--steps', '[{"recipe":{"name":"mute"}}]'], '--steps cannot be combined with --recipe'],
    [
      ['--steps', '[{"recipe":'],
      '--steps: Must be an array; found a string\nThe steps are JSON, such as [{"recipe":{"name":"mute"}}].',
    ],
    [['--steps', '[{"name":"mute"}]'], '--steps: 0.recipe: Required'],
    [
      ['--recipe', 'hls', '--encryption', '{"scheme":"aes-128","keyUri":"https://k.example/1"}'],
      '--encryption: key: Required',
    ],
    [['--recipe', 'hls', '--subtitles', '[{"url":"de.srt"}]'], '--subtitles: 0.language: Required'],
    [['--recipe', 'hls', '--encryption', '{"keyURI":"x"}'], '--encryption: keyURI: Unknown field'],
    [['--recipe', 'gif', '--loop', 'false'], 'input: The recipe gif takes one input; found 2'],
    [['--recipe', 'concat'], 'input: The recipe concat takes 2 to 20 inputs; found 1'],
    [['--recipe', 'mute', '--webhook-url', 'example.com/hook'], 'The URL must start with https:// or http://.'],
    [['--recipe', 'mute', '--webhook-url', 'https://example.com/my hook'], 'must not contain spaces'],
    [['--recipe', 'mute', '--idempotency-key', 'é'], 'Must be 1 to 255 printable ASCII characters.'],
    [[], 'Give --recipe, --steps or --output.'],
    [['--output', 'poster'], 'Expected key=value.'],
    [['--output', 'poster=thumb'], 'Unknown recipe: thumb.'],
    [['--output', 'a=mute', '--output', 'a=gif'], 'There are two outputs a.'],
    [['--output', 'a=compress,crf=99'], '--outputs: a.recipe.crf: Must be at most 51'],
    [['--output', 'a=compress,colour=red'], '--outputs: a.recipe.colour: The recipe has no such parameter'],
    [['--output', 'a=mute', '--format', 'mp4'], 'Give the format of each output'],
    [['--output', 'a=mute', '--recipe', 'mute'], '--outputs cannot be combined with --recipe'],
    [['--outputs', '{"a":1}'], '--outputs: a: Must be an object'],
    [['--recipe', 'mute', '--pace', '2'], "unknown option '--pace'"],
  ])('%j', async (options, message) => {
    const { exitCode, out, err } = await submit(url, ...options);
    expect(err).toContain(message);
    expect([exitCode, out, api.requests]).toEqual([2, '', []]);
  });

  it.each([
    ['no-such-video.mov', /There is no file at .*no-such-video\.mov\.\nGive the path of a file, or an http/],
    ['package.json/video.mov', /^ENOTDIR: not a directory, stat '.*video\.mov'/],
    ['test', /test is not a file/],
    ['/dev/null', /is not a file/],
  ])('the input %s', async (input, message) => {
    const { exitCode, err } = await submit(input, '--recipe', 'mute');
    expect(err).toMatch(message);
    expect([exitCode, api.requests]).toEqual([6, []]);
  });

  it('without breaking the JSON of the error by what it redacts', async () => {
    const { exitCode, err } = await submit(url, '--recipe', 'mute', '--format', 'https://x/y?z', '--json');
    const { error } = JSON.parse(err);
    expect([exitCode, error.code]).toEqual([2, 'USAGE']);
    expect(error.message).toContain('"https://x/y?…"');
    expect(err).not.toContain('?z');
  });

  describe('an existing download path', () => {
    const steps = (...names: object[]) => [
      '--steps',
      JSON.stringify(names.map((step) => ({ ...step, recipe: { name: 'mute' } }))),
    ];
    /** Submits `film #1.mov` of a folder that has other files too. */
    async function download(files: readonly string[], ...options: string[]) {
      const workingDirectory = await aTemporaryFolder();
      await mkdir(join(workingDirectory, 'out'));
      for (const name of ['film #1.mov', ...files]) await writeFile(join(workingDirectory, name), 'video');
      const overrides = { baseUrl: api.origin, workingDirectory };
      return runCli(['submit', 'film #1.mov', ...options], overrides);
    }

    it.each([
      ['film #1.mp4', ['--recipe', 'mute', '--download']],
      ['film #1-output.mov', ['--recipe', 'mute', '--format', 'mov', '--download']],
      ['out/film #1.mp4', ['--recipe', 'mute', '--download', 'out']],
      ['out/a.mp4', ['--recipe', 'mute', '--download', 'out/a.mp4']],
      ['film #1.mp4', [...steps({}, { name: 'last' }), '--download']],
    ])('%s, for %j, before anything is uploaded', async (name, options) => {
      const { exitCode, err } = await download([name], ...options);
      expect(err).toContain(`${name} already exists.\nAdd --force to overwrite it.`);
      expect([exitCode, api.requests]).toEqual([6, []]);
    });

    it.each([
      [['film #1.mp4'], ['--recipe', 'mute', '--download', '--force']],
      [['film #1.mp4'], ['--recipe', 'renditions', '--download']],
      [['film #1.mp4'], [...steps({ name: 'first' }, {}), '--download']],
      [['other.mp4'], ['--recipe', 'mute', '--download']],
    ])('but not with %j for %j', async (names, options) => {
      const { err } = await download(names, ...options);
      expect(err).not.toContain('already exists');
      expect(api.requests.map(({ path }) => path)).toContain('/api/v1/uploads');
    });
  });
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
  const stub = await aStubApi({
    'POST /api/v1/jobs': statuses.map((status) => ({ status, body: { error } })),
  });
  const { err } = await runCli(['submit', url, '--recipe', 'mute'], { baseUrl: stub.origin });
  await stub.close();
  expect(err).toMatch(expected);
  expect(err.match(/submitted/g)).toHaveLength(1);
});
