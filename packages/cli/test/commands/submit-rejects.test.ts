import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { queuedJobExample } from '@media-jobs/core/api';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

const api = await aStubApi({ 'POST /api/v1/jobs': { status: 201, body: queuedJobExample } });
beforeEach(() => void api.requests.splice(0));

const submit = (...args: string[]) => runCli(['submit', ...args], { baseUrl: api.origin });
const url = 'https://media.example/video.mov';

describe('submit rejects before any call', () => {
  it.each([
    [['--recipe', 'compress', '--crf', '99'], '--crf: Must be at most 51'],
    [['--recipe', 'compress', '--crf', 'high'], '--crf: Must be a number, such as 83.5; found high'],
    [['--recipe', 'compress', '--crf', '0x1c'], '--crf: Must be a number, such as 83.5; found 0x1c'],
    [['--recipe', 'compress', '--max-width', '12.5'], '--max-width: Must be a whole number'],
    [
      ['--recipe', 'gif', '--degrees', '90'],
      '--degrees: The recipe has no such parameter; it has --start, --seconds, --fps, ',
    ],
    [['--recipe', 'gif', '--format', 'mp4'], '--format: The recipe gif writes gif, not mp4'],
    [['--recipe', 'resize'], '--width: Must have width, height or both'],
    [
      ['--recipe', 'transcode', '--codec', 'vp9', '--format', 'mp4'],
      '--codec: The format mp4 takes h264, h265, av1, not vp9',
    ],
    [['--recipe', 'shrink'], 'Unknown recipe: shrink.\nThe recipes are'],
    [['--recipe', 'compres'], 'Unknown recipe: compres.\nDid you mean compress?'],
    [['--recipe', 'podcast'], 'Unknown recipe: podcast.\nDid you mean extract-audio or normalize-audio?'],
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
    [
      ['--recipe', 'hls', '--subtitles', 'en.vtt'],
      '--subtitles: Must be language=file, such as en=talk.en.vtt; found en.vtt',
    ],
    [
      ['--recipe', 'extract-audio', '--tags', 'Talk'],
      '--tags: Must be key=value, such as title=value, or JSON; found Talk',
    ],
    [['--recipe', 'hls', '--subtitles', '[{"url":"de.srt"}]'], '--subtitles: 0.language: Required'],
    [['--recipe', 'hls', '--encryption', '{"keyURI":"x"}'], '--encryption: keyURI: Unknown field'],
    [['--recipe', 'gif', '--loop', 'false'], 'input: The recipe gif takes one input; found 2'],
    [['--recipe', 'concat'], 'input: The recipe concat takes 2 to 20 inputs; found 1'],
    [['--recipe', 'mute', '--webhook-url', 'example.com/hook'], 'The URL must start with https:// or http://.'],
    [['--recipe', 'mute', '--webhook-url', 'https://example.com/my hook'], 'must not contain spaces'],
    [['--recipe', 'mute', '--idempotency-key', 'é'], 'Must be 1 to 255 printable ASCII characters.'],
    [[], 'Give --recipe, --preset, --steps or --output.'],
    [['--output', 'poster'], 'Expected name=recipe:format.'],
    [['--output', 'poster=thumb'], 'Unknown recipe: thumb.'],
    [['--output', 'a=mute', '--output', 'a=gif'], 'There are two outputs a.'],
    [['--output', 'a=compress,crf=99'], '--outputs: a.recipe.crf: Must be at most 51'],
    [['--output', 'a=compress,colour=red'], '--outputs: a.recipe.colour: The recipe has no such parameter'],
    [['--output', 'a=mute', '--format', 'mp4'], 'Give the format of each output'],
    [['--output', 'a=mute', '--recipe', 'mute'], '--outputs cannot be combined with --recipe'],
    [['--outputs', '{"a":1}'], '--outputs: a: Must be an object'],
    [['--recipe', 'mute', '--pace', '2'], "unknown option '--pace'"],
    [['--recipe', 'mute', '--captions', 'a.srt'], '"recipes NAME" those of a recipe.'],
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
