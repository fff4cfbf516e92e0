import { broadcastParts, generatedFile, pids } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { runToEnd } from '../../builders/chunking/run-to-end.ts';

const frames = ['-f', 'lavfi', '-i'];

const sources = {
  'slow-motion.mp4': [...frames, 'testsrc2=size=64x36:rate=240:duration=0.5', '-c:v', 'libx264'],
  'laboratory.mp4': [...frames, 'testsrc2=size=64x36:rate=1000:duration=0.2', '-c:v', 'libx264'],
  'surveillance.mkv': [...frames, 'testsrc2=size=64x36:rate=1/3600:duration=72000', '-c:v', 'libx264'],
  'interpreters.mkv': [
    ...[...frames, 'sine=duration=1', '-c:a', 'libopus'],
    ...Array.from({ length: 60 }, () => ['-map', '0']).flat(),
  ],
};

const fileOf = (name: keyof typeof sources) => generatedFile(name, sources[name]);

const run = async (source: string, format: string, recipe: JobRequestRecord['recipe']) => {
  const stage = await aChunkedStage();
  const job = await runToEnd(stage, { mode: 'recipe', input: { url: clipUrl(source) }, output: { format }, recipe });
  const key = (await stage.keys('')).find((each) => each.endsWith('.json'));
  const text = key === undefined ? '' : await stage.read(key);
  return { job, text: String(text) };
};

it.each([
  ['laboratory.mp4', /^Other recipes reject this input: The video has 1000 frames per second/, 'INPUT_UNSUPPORTED'],
  ['surveillance.mkv', /^Other recipes reject this input: The input lasts 7\d+ s/, 'INPUT_TOO_LONG'],
  ['interpreters.mkv', /^Other recipes reject this input: The input has 60 streams/, 'INPUT_UNSUPPORTED'],
] as const)('probe describes %s, which other recipes reject, with a warning', async (name, message, code) => {
  const source = await fileOf(name);
  const { job, text } = await run(source, 'json', { name: 'probe' });
  const warning = { code: 'INPUT_UNSUPPORTED', message: expect.stringMatching(message) };
  expect(job).toMatchObject({ state: 'completed', warnings: [warning] });
  expect(JSON.parse(text).streams).toHaveLength(name === 'interpreters.mkv' ? 60 : 1);
  const other = await run(source, 'mp3', { name: 'extract-audio' });
  expect(other.job).toMatchObject({ state: 'rejected', error: { code } });
});

it('a broadcast whose streams go on with other PIDs is described, and rejected before its encode or its chunks', async () => {
  const source = await broadcastParts([pids(256, 257), pids(512, 513)]);
  const described = await run(source, 'json', { name: 'probe' });
  const message = expect.stringContaining('The video of the input has PID 256 in a part of the file only');
  const warnings = [{ code: 'INPUT_UNSUPPORTED', message }];
  expect(described.job).toMatchObject({ state: 'completed', warnings });
  for (const [format, recipe] of [
    ['mp4', { name: 'compress' }],
    ['m3u8', { name: 'hls' }],
    ['mkv', { name: 'remux' }],
  ] as const) {
    const { job } = await run(source, format, recipe);
    expect(job).toMatchObject({ state: 'rejected', error: { code: 'INPUT_UNSUPPORTED', message } });
  }
});

it('slow motion of a phone is within the limits', async () => {
  const { job } = await run(await fileOf('slow-motion.mp4'), 'json', { name: 'probe' });
  expect(job).not.toHaveProperty('warnings');
  const compressed = await run(await fileOf('slow-motion.mp4'), 'mp4', { name: 'compress' });
  expect(compressed.job).toMatchObject({ state: 'completed' });
});
