import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, expect, it } from 'vitest';
import { submitCommandLine } from '../../src/formatting/command-line.ts';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

const preset = { name: 'course', version: 2, draft: false, retired: false, title: 'Course video', source: 'stage' };
const request = {
  ...{ mode: 'outputs', outputs: { small: { format: 'mp4', recipe: { name: 'compress', preset: 'slow' } } } },
  recipe: { name: 'hls', codecs: ['h264'], encryption: { scheme: 'aes-128' }, title: 'Grain', size: 4 },
};
const ended = { ...preset, draft: true, version: 3 };

const api = await aStubApi({
  'GET /api/v1/presets': { status: 200, body: { presets: [ended, preset] } },
  'GET /api/v1/presets/course%402': { status: 200, body: { ...preset, request } },
  'POST /api/v1/presets': { status: 201, body: ended },
  'PATCH /api/v1/presets/course/3': { status: 200, body: { ...ended, draft: false } },
  'POST /api/v1/jobs': { status: 201, body: { jobId: 'job-1' } },
});
beforeEach(() => void api.requests.splice(0));

const run = (...args: string[]) => runCli(args, { baseUrl: api.origin });

it('presets lists versions with their states', async () => {
  const { out } = await run('presets', 'list', '--all');
  expect(out.split('\n').map((row) => row.split(/ {2,}/))).toEqual([
    ['PRESET', 'STATE', 'SOURCE', 'TITLE'],
    ['course@3', 'a draft', 'stage', 'Course video'],
    ['course@2', 'published', 'stage', 'Course video'],
    [''],
  ]);
  expect(api.requests[0]?.path).toBe('/api/v1/presets?all=true');
});

it('presets create stores a file, and publish changes the version', async () => {
  const file = path.join(await aTemporaryFolder(), 'course.json');
  const body = { name: 'course', draft: true, request: { mode: 'recipe' } };
  await writeFile(file, JSON.stringify(body));
  expect((await run('presets', 'create', file)).out).toBe('course@3\n');
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual(body);
  expect((await run('presets', 'publish', 'course@3')).out).toBe('course@3 is published.\n');
  expect(JSON.parse(api.requests[1]?.body ?? '')).toEqual({ draft: false });
});

it('presets compare rejects a version and itself before it costs anything', async () => {
  const { exitCode, err } = await run('presets', 'compare', 'course@2', 'course@2', '--inputs', 'in.mp4');
  expect([exitCode, err]).toEqual([2, expect.stringContaining('two different versions')]);
  expect(api.requests).toEqual([]);
});

it('submit --preset sends its parameters as values of their types', async () => {
  const values = {
    'outputs.small.recipe.maxWidth': 960,
    'outputs.small.recipe.preset': '1080',
    'recipe.encryption.key': '12345678901234567890123456789012',
    'recipe.codecs': ['h264', 'av1'],
    'recipe.title': '1080',
    'recipe.size': 8,
    keepDays: null,
  };
  const set = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const { exitCode, err } = await run('submit', 'https://a.example/in.mp4', '--preset', 'course@2', ...set);
  expect(exitCode, err).toBe(0);
  expect(JSON.parse(api.requests[1]?.body ?? '')).toEqual({
    ...{ mode: 'preset', preset: 'course@2', input: { url: 'https://a.example/in.mp4' } },
    parameters: values,
  });
});

it('a request of a preset is shown as the command that sends it', () => {
  const request = {
    mode: 'preset',
    preset: 'course@2',
    parameters: { 'recipe.maxWidth': 960, 'recipe.preset': 'slow' },
  };
  expect(submitCommandLine({ ...request, input: { url: 'in.mp4' } }).split(/ \\\n {2}/)).toEqual([
    'media-jobs submit in.mp4',
    ...['--preset course@2', '--set recipe.maxWidth=960', '--set recipe.preset=slow', '--wait'],
  ]);
});

it('--preset of a recipe stays its parameter', async () => {
  const { exitCode, err } = await run('submit', 'https://a.example/in.mp4', '--recipe', 'compress', '--preset', 'slow');
  expect(exitCode, err).toBe(0);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({ recipe: { name: 'compress', preset: 'slow' } });
});

it.each([
  [['--preset', 'course', '--crf', '20'], '--set recipe.crf=…'],
  [['--recipe', 'compress', '--set', 'recipe.crf=20'], '--set needs --preset'],
])('%s is rejected', async (options, message) => {
  const { exitCode, err } = await run('submit', 'https://a.example/in.mp4', ...options);
  expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
  expect(api.requests).toEqual([]);
});
