// @module-tag timing
import { encode, encodeOne, generatedFile, type Timing, timingOf } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';

const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '48', '-sc_threshold', '0'];
const fields = [...x264, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'];
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '48'];
const webm = [...vp9, '-c:a', 'libopus'];
/** Moves each frame by some milliseconds. Matroska still states the constant rate. */
const moved = (milliseconds: string) => [
  ...[...x264, '-bf', '0', '-bsf:v'],
  `setts=ts='round(PTS*TB*1000)+${milliseconds}':time_base=1/1000`,
];
const oneLate = (milliseconds: number) => `if(mod(N+4,9),0,${milliseconds})`;
/** One frame of nine is a millisecond before the next. */
const close = { rate: '25', options: moved(oneLate(39)) };

type Clip = {
  rate?: string;
  seconds?: number;
  /** By which video or audio starts after the other. */
  late?: number;
  lateAudio?: number;
  filters?: string;
  options?: readonly string[];
};

/** Video with B-frames, and a tone. */
function clip(
  name: string,
  { rate = '24000/1001', seconds = 4, late = 0, lateAudio = 0, filters = 'null', options = x264 }: Clip = {},
) {
  const audio = `sine=440:sample_rate=48000:duration=${seconds}`;
  const video = `testsrc2=size=160x90:rate=${rate}:duration=${seconds},${filters}`;
  return generatedFile(name, [
    ...['-itsoffset', String(late), '-f', 'lavfi', '-i', video],
    ...['-itsoffset', String(lateAudio), '-f', 'lavfi', '-i', audio],
    ...['-fps_mode', 'vfr', ...options],
  ]);
}

const h264 = { name: 'transcode', codec: 'h264', preset: 'veryfast' } as const;
const h265 = { name: 'transcode', codec: 'h265', preset: 'ultrafast' } as const;

/** All frames are equally long, at the times of the source, and as far from the audio. */
async function expectEqualDurations(source: string, output: string, rate: string): Promise<void> {
  const [read, written] = [await timingOf(source), await timingOf(output)];
  const [frames, frameTicks = 0] = rate.split('/').map(Number);
  expect(written).toMatchObject({
    timeBase: `1/${frames}`,
    decodedTicks: new Set([frameTicks]),
    shownTicks: new Set([frameTicks]),
    isOrdered: true,
    rates: [rate, rate],
  });
  expectSameTimes(fromFirst(written.times), fromFirst(read.times), 0.0011);
  const offset = ({ times: [first = 0], audioSeconds = 0 }: Timing) => audioSeconds - first;
  expect(Math.abs(offset(written) - offset(read))).toBeLessThan(0.001);
}

function fromFirst(times: readonly number[]): number[] {
  return times.map((seconds) => seconds - (times[0] ?? 0));
}

function expectSameTimes(written: readonly number[], read: readonly number[], maxSeconds: number): void {
  expect(written).toHaveLength(read.length);
  const distances = written.map((seconds, frame) => Math.abs(seconds - (read[frame] ?? Number.NaN)));
  expect(Math.max(...distances)).toBeLessThan(maxSeconds);
}

describe('frames of a constant rate', () => {
  it.each(['24000/1001', '30000/1001', '60000/1001'])('are equally long at %s', async (rate) => {
    const source = await clip('constant.mkv', { rate });
    for (const recipe of [h264, h265]) {
      const { path } = await encodeOne(source, 'mp4', recipe);
      await expectEqualDurations(source, path, rate);
    }
  });

  it.each([
    ['mp4', { ...h264, codec: 'av1' }],
    ['mp4', { ...h264, codec: 'vp9' }],
    ['mov', { name: 'compress', crf: 28, preset: 'veryfast' }],
    ['mp4', { name: 'rotate', degrees: 90 }],
    ['mp4', { name: 'compress', targetSizeMb: 0.2, preset: 'veryfast' }],
  ] as const)('are equally long in %s by %o', async (format, recipe) => {
    const source = await clip('constant.mkv');
    const { path } = await encodeOne(source, format, recipe);
    await expectEqualDurations(source, path, '24000/1001');
  });

  it.each([
    ['are equally long in WebM', 'constant.webm', { options: webm }],
    ['are equally long at a rate that is stated as 23.976', 'constant.mkv', { rate: '23.976' }],
    ['start where they do in the source', 'late.mkv', { late: 0.731 }],
  ])('%s', async (_, name, choice) => {
    const source = await clip(name, choice);
    await expectEqualDurations(source, (await encodeOne(source, 'mp4', h264)).path, '24000/1001');
  });

  it('are equally long under a watermark', async () => {
    const [source, image] = [await clip('constant.mkv'), 'https://example.com/a.png'];
    const mark = await generatedFile('mark.png', '-f lavfi -i color=red:size=64x64 -frames:v 1'.split(' '));
    const inputs = { inputs: [source] as const, assets: { image: mark } };
    const { path } = await encodeOne(inputs, 'mp4', { name: 'watermark', image });
    await expectEqualDurations(source, path, '24000/1001');
  });

  it('are equally long from HDR', async () => {
    const pq = 'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';
    const options = [...'-pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -x265-params'.split(' '), pq];
    const source = await clip('hdr.mkv', { options });
    await expectEqualDurations(source, (await encodeOne(source, 'mp4', h264)).path, '24000/1001');
  });

  it('are equally long in each rendition', async () => {
    const source = await clip('constant.mkv', { filters: 'scale=320:180' });
    const renditions = await encode(source, 'mp4', { name: 'renditions', heights: [144, 180] });
    expect(renditions).toHaveLength(2);
    for (const { path } of renditions) await expectEqualDurations(source, path, '24000/1001');
  });

  it('are as far from late audio as those of a source with exact times', async () => {
    const options = [...x264, '-c:a', 'flac'];
    const timings = ['mkv', 'mp4'].map(async (container) => {
      const source = await clip(`late-audio.${container}`, { lateAudio: 0.4567, options });
      return timingOf((await encodeOne(source, 'mp4', h264)).path);
    });
    const [moved, exact] = await Promise.all(timings);
    expectSameTimes(moved?.times ?? [], exact?.times ?? [], 0.0001);
    expect(exact?.audioSeconds).toBeGreaterThan(0.4);
    // MP4 states the start of a late track in whole milliseconds, and so does Matroska.
    expect(Math.abs((moved?.audioSeconds ?? 0) - (exact?.audioSeconds ?? 0))).toBeLessThan(0.0011);
  });

  it('are equally long in a clip', async () => {
    const source = await clip('constant.mkv');
    const { path } = await encodeOne(source, 'mp4', { name: 'clip', start: 1.237, end: 3.4 });
    const { shownTicks, rates, times } = await timingOf(path);
    const kept = (await timingOf(source)).times.filter((seconds) => seconds >= 1.237 && seconds < 3.4);
    expect([shownTicks, rates]).toEqual([new Set([1001]), ['24000/1001', '24000/1001']]);
    expectSameTimes(
      times,
      kept.map((seconds) => seconds - 1.237),
      0.0011,
    );
  });

  it('are equally long at the rate of the fields', async () => {
    const filters = 'scale=160:96,tinterlace=interleave_top';
    const source = await clip('fields.mkv', { rate: '60000/1001', filters, options: fields });
    const { shownTicks, decodedTicks } = await timingOf((await encodeOne(source, 'mp4', h264)).path);
    expect([shownTicks, decodedTicks]).toEqual([new Set([1001]), new Set([1001])]);
  });

  it('have the rate that is asked for', async () => {
    const { path } = await encodeOne(await clip('constant.mkv'), 'mp4', { ...h264, fps: 25 });
    expect((await timingOf(path)).rates).toEqual(['25/1', '25/1']);
  });
});

describe('frames of a variable rate', () => {
  it.each(['mkv', 'mp4'])('keep their times, from %s', async (container) => {
    // ffmpeg states the average rate in Matroska as that of every frame.
    const filters = "select='mod(n,7)*mod(n,5)'";
    const source = await clip(`variable.${container}`, { rate: '30', filters });
    const { times } = await timingOf(source);
    for (const recipe of [h264, h265]) {
      const written = await timingOf((await encodeOne(source, 'mp4', recipe)).path);
      expectSameTimes(written.times, times, 0.0011);
      expect(written.isOrdered).toBe(true);
    }
  });

  it('keep their times where Matroska states a constant rate', async () => {
    const source = await clip('jitter.mkv', { rate: '25', options: moved(oneLate(10)) });
    const { times } = await timingOf(source);
    const written = await timingOf((await encodeOne(source, 'mp4', h264)).path);
    expectSameTimes(written.times, times, 0.0011);
    expect(written).toMatchObject({ timeBase: '1/25000', isOrdered: true });
  });

  it('keep their order where two are closer than the container rounds times', async () => {
    const source = await clip('close.mkv', { ...close, seconds: 4 });
    const written = await timingOf((await encodeOne(source, 'mp4', h264)).path);
    expectSameTimes(written.times, (await timingOf(source)).times, 0.0011);
    expect(written).toMatchObject({ timeBase: '1/25000', isOrdered: true });
    expect(Math.min(...written.decodedTicks)).toBeGreaterThan(0);
  });

  it('keep their times after dropped frames of a constant rate', async () => {
    const source = await clip('dropped.mkv', { filters: "select='not(between(n,30,40))'" });
    const { times } = await timingOf(source);
    const written = await timingOf((await encodeOne(source, 'mp4', h264)).path);
    expectSameTimes(written.times, times, 0.0011);
  });
});

describe('chunks of a constant rate', () => {
  const long = { seconds: 12 };
  const silent = { isAssembled: true, isMuted: true };

  it.each([
    ['mp4', h264],
    ['mov', h265],
    ['mp4', { name: 'clip', start: 1.237, end: 10.6 }],
    ['mp4', { name: 'renditions' }],
  ] as const)('have the times of a single pass in %s by %o, to the tick', async (format, recipe) => {
    const source = await clip('long.mkv', long);
    const joined = await encodeBothWays(source, format, recipe);
    expect(joined.work.chunks.length).toBeGreaterThan(2);
    const [single, chunked] = [await timingOf(joined.single), await timingOf(joined.chunked)];
    expect(chunked).toEqual({ ...single, decodedTicks: new Set([1001]) });
    expect(single.shownTicks).toEqual(new Set([1001]));
    const assembled = await encodeBothWays(source, format, recipe, silent);
    expect((await timingOf(assembled.chunked)).times).toEqual(single.times);
  });

  it.each([
    { late: 0.731 },
    { filters: "select='not(between(n,70,80))'" },
    { options: moved(oneLate(7)) },
    { options: moved('floor(mod(N*37,11)/2)') },
    { rate: '60000/1001', filters: 'scale=160:96,tinterlace=interleave_top', options: fields },
    { container: 'webm', options: webm },
  ])('have the times of a single pass: %o', async ({ container = 'mkv', ...differences }) => {
    const source = await clip(`special.${container}`, { ...long, ...differences });
    const joined = await encodeBothWays(source, 'mp4', h264);
    expect((await timingOf(joined.chunked)).times).toEqual((await timingOf(joined.single)).times);
    const assembled = await encodeBothWays(source, 'mp4', h264, silent);
    expect((await timingOf(assembled.chunked)).times).toEqual((await timingOf(joined.single)).times);
  });

  it('of a file of a given size have the times of a single pass', async () => {
    const source = await clip('longer.mkv', { seconds: 65 });
    const recipe = { name: 'compress', targetSizeMb: 2, preset: 'ultrafast' } as const;
    const { single, chunked, work } = await encodeBothWays(source, 'mp4', recipe);
    expect(work.chunks.length).toBeGreaterThan(1);
    expect(await timingOf(chunked)).toEqual(await timingOf(single));
  });

  it('are not made where two frames would have the same time', async () => {
    const inChunks = encodeBothWays(await clip('close.mkv', { ...close, ...long }), 'mp4', h264);
    await expect(inChunks).rejects.toThrow('several of its frames have the same time');
  });
});
