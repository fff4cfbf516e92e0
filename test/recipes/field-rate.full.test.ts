// @module-tag timing
import {
  bareFfprobe,
  encode,
  fieldPairMatroska,
  frameTimes,
  type InterlacedClip,
  interlacedMatroska,
  ssim,
  statedTiming,
  timingOf,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

type Recipe = Parameters<typeof encode>[2];
type Case = [name: string, format: 'mp4' | 'mov' | 'mkv' | 'webm', recipe: Recipe, frames: number];

const fast = { name: 'transcode', preset: 'ultrafast' } as const;

/** Encodes the same video from a file that states the rate of its fields and from one that states that of its frames. */
async function encodeBoth(format: Case[1], recipe: Recipe, clip: InterlacedClip = {}) {
  const [stated] = await encode(await interlacedMatroska({ ...clip, statesFieldRate: true }), format, recipe);
  const [usual] = await encode(await interlacedMatroska(clip), format, recipe);
  return { path: stated?.path ?? '', usual: usual?.path ?? '' };
}

async function headersOf(path: string): Promise<string[]> {
  const entries = 'stream=codec_name,level,avg_frame_rate,r_frame_rate,nb_frames';
  return bareFfprobe(['-select_streams', 'v', '-show_entries', entries, '-of', 'default=nw=1', path]);
}

async function expectSameVideo({ path, usual }: { path: string; usual: string }): Promise<void> {
  expect(await headersOf(path)).toEqual(await headersOf(usual));
  expect(fromFirst(await frameTimes(path))).toEqual(fromFirst(await frameTimes(usual)));
  expect((await timingOf(path)).shownTicks).toEqual((await timingOf(usual)).shownTicks);
  const byFrame = 'setpts=N';
  expect(await ssim({ path, filters: byFrame }, { path: usual, filters: byFrame })).toBeGreaterThan(0.99);
}

/** `fps`, which MKV and WebM need, rounds the first time to a frame. */
function fromFirst(times: readonly number[]): number[] {
  return times.map((seconds) => Math.round(1000 * (seconds - (times[0] ?? 0))));
}

describe('interlaced Matroska that states the rate of its fields is encoded like one that states that of its frames', () => {
  it.each<Case>([
    ['transcode', 'mp4', fast, 100],
    ['transcode to H.265', 'mp4', { ...fast, codec: 'h265' }, 100],
    ['transcode with fps', 'mp4', { ...fast, fps: 50 }, 100],
    ['transcode with one frame of two fields', 'mp4', { ...fast, deinterlace: 'frame' }, 50],
    ['transcode to MKV', 'mkv', fast, 100],
    ['transcode to WebM', 'webm', fast, 100],
    ['speed', 'mp4', { name: 'speed', factor: 2 }, 50],
    ['renditions', 'mp4', { name: 'renditions', heights: [180] }, 100],
    ['ProRes', 'mov', { name: 'transcode', codec: 'prores' }, 50],
  ])('%s', async (_, format, recipe, frames) => {
    const both = await encodeBoth(format, recipe);
    expect(await frameTimes(both.path)).toHaveLength(frames);
    await expectSameVideo(both);
  });

  it.each([
    ['MPEG-2', { codec: 'mpeg2' }, 50],
    ['60i', { rate: '60000/1001' }, 60_000 / 1001],
  ] as const)('%s', async (_, clip, fps) => {
    const both = await encodeBoth('mp4', fast, clip);
    expect((await statedTiming(both.path)).framesPerSecond).toBeCloseTo(fps, 3);
    await expectSameVideo(both);
  });
});

it.each<[string, 'mp4' | 'mkv', Recipe]>([
  ['MP4', 'mp4', fast],
  ['MKV', 'mkv', fast],
  ['another rate', 'mp4', { ...fast, fps: 30 }],
])('has the frames of a single pass in chunks: %s', async (_, format, recipe) => {
  const source = await interlacedMatroska({ statesFieldRate: true, seconds: 12 });
  await expectSinglePassFile(await encodeBothWays(source, format, recipe));
});

it.each([false, true])('shows each field of pairs once, in blocks of their own: %s', async (isSplit) => {
  const source = await fieldPairMatroska({ defaultDurationMs: 20, isSplit });
  const [output] = await encode(source, 'mp4', fast);
  const path = output?.path ?? '';
  expect(await frameTimes(path)).toEqual(Array.from({ length: 100 }, (_, frame) => frame / 50));
  expect((await statedTiming(path)).framesPerSecond).toBe(50);
});

it('counts the frames of its time code', async () => {
  const source = await interlacedMatroska({ statesFieldRate: true, timecode: '01:00:00:20' });
  const [output] = await encode(source, 'mov', { name: 'transcode', codec: 'prores' });
  const entries = ['-show_entries', 'stream=codec_tag_string,avg_frame_rate', '-of', 'csv=p=0'];
  const track = (await bareFfprobe([...entries, output?.path ?? ''])).find((line) => line.startsWith('tmcd'));
  const [ticks = 0, ticksPerFrame = 1] = track?.split(',')[1]?.split('/').map(Number) ?? [];
  expect(ticks / ticksPerFrame).toBe(25);
});

it('joins it with each of its fields shown once', async () => {
  const sources = await Promise.all([interlacedMatroska({ statesFieldRate: true }), interlacedMatroska()]);
  const [output] = await encode({ inputs: [sources[0], sources[1]] }, 'mp4', { name: 'concat' });
  const path = output?.path ?? '';
  expect(await frameTimes(path)).toHaveLength(200);
  const half = (start: number) => `trim=start_frame=${start}:end_frame=${start + 100},setpts=PTS-STARTPTS`;
  expect(await ssim({ path, filters: half(0) }, { path, filters: half(100) })).toBeGreaterThan(0.98);
});
