import { estimateJobContract } from '@media-jobs/core/api';
import { generatedFile } from '@media-jobs/video/testing';
import { beforeEach, expect, it } from 'vitest';
import { formatDollars } from '../../src/formatting/quantities.ts';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

const { example } = estimateJobContract.responses[200];
const api = await aStubApi({ 'POST /api/v1/jobs/estimate': { status: 200, body: example } });
beforeEach(() => void api.requests.splice(0));

const run = (...args: string[]) => runCli(args, { baseUrl: api.origin });
const source = ['--source-size', '1920x1080', '--source-duration', '300'];

it.each([
  ['estimate', ['estimate', 'holiday.mov', '--recipe', 'compress', ...source]],
  ['submit --dry-run', ['submit', 'holiday.mov', '--recipe', 'compress', ...source, '--dry-run']],
])('%s shows time and price, and sends nothing else', async (_, args) => {
  const { exitCode, out, err } = await run(...args);
  expect(exitCode, err).toBe(0);
  const prices = [example.usd.p50, example.usd.p90].map(formatDollars).join(' ');
  expect(out.replaceAll(/ +/g, ' ')).toContain(`Price ${prices}`);
  expect(api.requests).toHaveLength(1);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({
    input: { url: 'https://example.com/input' },
    media: { width: 1920, height: 1080, durationSeconds: 300 },
  });
});

it('estimate probes a local file whose size is not given', async () => {
  const path = await generatedFile('estimate.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2', '-c:v', 'libx264'],
  ]);
  const { exitCode, err } = await run('estimate', path, '--recipe', 'compress');
  expect(exitCode, err).toBe(0);
  const { input, media } = JSON.parse(api.requests[0]?.body ?? '');
  expect(input).toEqual({ url: placeholder });
  expect(media).toMatchObject({ width: 320, height: 180, durationSeconds: 2, framesPerSecond: 25, codec: 'h264' });
});

const placeholder = 'https://example.com/input';

it.each([
  ['watermark', ['--image', 'logo.png'], { image: placeholder }],
  ['hls', ['--subtitles', '[{"url":"en.vtt","language":"en"}]'], { subtitles: [{ url: placeholder, language: 'en' }] }],
])('an estimate of %s leaves local files of parameters where they are', async (name, options, expected) => {
  const { exitCode, err } = await run('estimate', 'holiday.mov', '--recipe', name, ...options, ...source);
  expect(exitCode, err).toBe(0);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({ recipe: expected });
});

it('estimate takes a finished probe in place of the size', async () => {
  const id = '0199c3a4-5b6e-7c21-9d3f-6f1b2a8c4e10';
  await run('estimate', 'https://media.example/a.mp4', '--recipe', 'compress', '--probe-job', id);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({ probeJobId: id });
});

it.each([
  ['without a source', [], /needs the size and the length/],
  ['with a size that is none', ['--source-size', 'large'], /Expected a size such as 1920x1080/],
])('estimate fails %s', async (_, args, message) => {
  const { exitCode, err } = await run('estimate', 'https://media.example/a.mp4', '--recipe', 'mute', ...args);
  expect([exitCode, err]).toEqual([2, expect.stringMatching(message)]);
});
