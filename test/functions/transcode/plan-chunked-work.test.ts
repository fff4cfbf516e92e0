import { chunkTasks, workHash } from '@media-jobs/video/chunking';
import { availableBytes, encodingsByCodec, outputSizes, peakMemoryBytes } from '@media-jobs/video/encoding';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import { argumentTexts } from '@media-jobs/video/ffmpeg';
import { aFrameIndex, aProbe, aSubtitleStream } from '@media-jobs/video/testing';
import { describe, expect, it, vi } from 'vitest';
import {
  longVideo,
  longVideoStream,
  type PlannedChoice,
  planned,
  still,
} from '../../builders/chunking/planned-work.ts';
import { later } from '../../builders/jobs/jobs.ts';

const aPipeline = (...recipes: { name: string; [parameter: string]: unknown }[]): PlannedChoice => ({
  mode: 'pipeline',
  recipe: undefined,
  steps: recipes.map((recipe) => ({ recipe })),
});
const logo = { name: 'watermark', image: 'https://media.example/logo.png' };

describe('a job is encoded in chunks', () => {
  it('if it requests speed', async () => {
    const { result, chunking } = await planned({ speed: 'fast' });
    expect(chunking?.reason).toMatch(/^Encoded in 9 chunks of .* in parallel: the job requests speed$/);
    expect([chunking?.chunks, result?.work.chunks.length]).toEqual([9, 9]);
  });

  it('if a single pass would take too long', async () => {
    const { chunking } = await planned({});
    expect(chunking?.reason).toMatch(/^Encoded in 9 chunks .* a single pass would take too long$/);
  });

  it.each<[string, PlannedChoice]>([
    ['if it requests speed', { speed: 'fast' }],
    ['if its steps together would take too long', {}],
  ])('as the first step of a pipeline %s', async (_, choice) => {
    const { result, chunking } = await planned({
      ...aPipeline({ name: 'compress' }, { name: 'thumbnail' }),
      output: { format: 'jpg' },
      ...choice,
    });
    expect(chunking?.reason).toMatch(/^Step 1 \(compress\): Encoded in 9 chunks/);
    expect(result?.work).toMatchObject({ step: 0, chunks: { length: 9 } });
  });

  it('if its frame count is unknown and turns out to be high', async () => {
    const { framesPerSecond: _, ...video } = longVideoStream;
    const probe = aProbe([video], { durationSeconds: 600 });
    const { chunking, readings } = await planned({ probe });
    expect(chunking?.chunks).toBeGreaterThan(1);
    expect(readings).toBe(1);
  });
});

const stream: PlannedChoice = { speed: 'fast', recipe: { name: 'hls' }, output: { format: 'm3u8' } };

const singlePass: [name: string, choice: PlannedChoice, reason: RegExp, readings: number][] = [
  [
    'standard speed if a single pass is fast enough',
    { maxSinglePassSeconds: 780, processors: { count: 2, slowness: 0.8 } },
    /takes about \d+ s, and standard speed allows 400 s/,
    0,
  ],
  [
    'a short video',
    { speed: 'fast', probe: aProbe(), index: aFrameIndex({ frames: 50 }) },
    /it lasts 2.0 s; only videos of at least 120 s are split into chunks$/,
    0,
  ],
  [
    'a short time range of a long video',
    { speed: 'fast', recipe: { name: 'clip', start: 10, end: 30 } },
    /it lasts 20.0 s; only videos of at least 120 s are split into chunks$/,
    0,
  ],
  [
    'a source with one keyframe',
    { speed: 'fast', index: aFrameIndex({ keyframeEvery: 15_000 }) },
    /its keyframes are too few/,
    1,
  ],
  [
    'a job that failed in chunks before',
    { speed: 'fast', singlePassReason: 'Chunk 2 is missing' },
    /^Encoded in a single pass: Chunk 2 is missing$/,
    0,
  ],
  [
    'frames of a video, although it requests speed',
    { speed: 'fast', recipe: { name: 'thumbnail' }, output: { format: 'jpg' } },
    /the recipe thumbnail does not encode one video input$/,
    0,
  ],
  [
    'HLS with audio that changes its format',
    {
      ...stream,
      probe: aProbe(longVideo.streams, { durationSeconds: 600, container: 'matroska,webm' }),
      run: async () => ({ arguments: [], log: 'because audio parameters changed to 48000 Hz' }),
    },
    /the audio format changes/,
    1,
  ],
  [
    'a pipeline without a step that can be split, although it requests speed',
    {
      speed: 'fast',
      ...aPipeline({ name: 'clip', start: 10, end: 30 }, { name: 'thumbnail' }),
      output: { format: 'jpg' },
    },
    /^Step 1 \(clip\): Encoded in a single pass: it lasts 20.0 s; only videos of at least/,
    0,
  ],
];

describe('a job takes a single pass and reports the reason', () => {
  it.each(singlePass)('for %s', async (_, choice, reason, readings) => {
    const found = await planned(choice);
    expect(found.result).toBeUndefined();
    expect(found.chunking).toEqual({ chunks: 1, reason: expect.stringMatching(reason) });
    expect(found.readings).toBe(readings);
  });

  it.each<[string, PlannedChoice]>([
    ['frames', { recipe: { name: 'thumbnail' }, output: { format: 'jpg' } }],
    [
      'a pipeline that ends soon enough',
      {
        ...aPipeline({ name: 'compress' }, { name: 'mute' }),
        processors: { count: 2, slowness: 0.4 },
        maxSinglePassSeconds: 780,
      },
    ],
  ])('without a report for %s of standard speed', async (_, choice) => {
    expect(await planned(choice)).toMatchObject({ result: undefined, chunking: undefined, readings: 0 });
  });
});

describe('chunked work', () => {
  it('is the same on every worker', async () => {
    const [here, there] = await Promise.all(
      ['/tmp/a', '/tmp/b'].map((disk) => planned({ speed: 'fast', recipe: logo, disk })),
    );
    if (!here?.result || !there?.result) throw new Error('It is not cut');
    expect(JSON.stringify(here.result.work)).not.toContain('/tmp/');
    expect(workHash(here.result.work, here.result.sources)).toBe(workHash(there.result.work, there.result.sources));
    expect(there.result).toMatchObject({ sources: [{ path: '/tmp/b/input-1' }], overlayPath: '/tmp/b/asset-1-image' });
    expect(here.result.work.overlay).toEqual(still.probe);
  });

  it('has the text of burnt subtitles, and no path of a worker', async () => {
    const probe = { ...aProbe([aSubtitleStream()]), container: 'srt' };
    const text = '1\n00:00:01,000 --> 00:00:02,000\nA cue\n';
    const [here, other] = await Promise.all(
      [text, text.replace('A cue', 'Another')].map((each) =>
        planned({
          speed: 'fast',
          recipe: { name: 'burn-subtitles', subtitles: 'https://media.example/a.srt?signed=1' },
          assets: { subtitles: { path: '/tmp/a/asset-1-subtitles', probe } },
          run: async ({ outputArguments }) => ({ arguments: argumentTexts(outputArguments), log: '' }),
          text: each,
        }),
      ),
    );
    if (!here?.result || !other?.result) throw new Error('It is not cut');
    expect(here.result.work.encoding).toMatchObject({ subtitles: { text } });
    expect(JSON.stringify(here.result.work)).not.toMatch(/\/tmp\/|signed=1/);
    expect(workHash(here.result.work, here.result.sources)).not.toBe(workHash(other.result.work, other.result.sources));
  });

  it('has all renditions and playlists of HLS and DASH', async () => {
    const { result } = await planned(stream);
    expect(result?.work.format).toBe('mp4');
    expect(result?.work.outputs.map(({ name }) => name)).toEqual([
      ...['hls', 'dash'],
      ...['720p', '480p', '360p', '240p'].flatMap((size) => [size, `${size}-playlist`, `${size}-keyframes`]),
      ...['audio', 'audio-playlist'],
    ]);
    for (const { startSeconds, keyframeSeconds } of result?.work.chunks ?? []) {
      expect(startSeconds % 2).toBe(0);
      expect(keyframeSeconds?.length).toBeGreaterThan(10);
    }
  });

  it('has all renditions in each codec, in shorter chunks as the slowest codec has more work', async () => {
    const inCodecs = { ...stream, recipe: { name: 'hls', codecs: ['h264', 'h265', 'av1'] } };
    const [one, all] = await Promise.all([planned(stream), planned(inCodecs)]);
    if (!one.result || !all.result) throw new Error('It is not cut');
    const { work } = all.result;
    const tasks = chunkTasks(work).flatMap((task) => (task.kind === 'chunk' ? task : []));
    expect(tasks).toHaveLength(3 * work.chunks.length);
    const chunksOfBudget = (cpuSeconds: number) => Math.floor(cpuSeconds / 150);
    expect(work.chunks).toHaveLength(chunksOfBudget(all.cost.codecCpuSeconds));
    expect(work.chunks.length).toBeGreaterThan(one.result.work.chunks.length);
    expect(all.cost.finalCpuSeconds).toBeGreaterThan(all.cost.codecCpuSeconds);
  });

  it('saves memory in the codecs that need it: each has a worker to itself', async () => {
    const fullHd = { ...longVideoStream, width: 1920, height: 1080 };
    const { result } = await planned({
      ...stream,
      recipe: { name: 'hls', codecs: ['h264', 'h265', 'av1'], preset: 'slow' },
      probe: aProbe([fullHd], { durationSeconds: 600 }),
      memory: { sizeBytes: 3008 * 2 ** 20, cpuCount: 2 },
    });
    if (!result) throw new Error('It is not cut');
    const peaks = encodingsByCodec(result.work.encoding).map((encoding) =>
      peakMemoryBytes({ ...encoding, sizes: outputSizes(encoding), source: fullHd, cpuCount: 2 }),
    );
    const available = availableBytes({ sizeBytes: 3008 * 2 ** 20 });
    expect(Math.max(...peaks)).toBeLessThanOrEqual(available);
    expect(peaks.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(available);
    const saving = encodingsByCodec(result.work.encoding).filter(({ savesMemory }) => savesMemory);
    expect(saving.map(({ codec }) => codec)).toEqual(['av1']);
  });

  describe('whose measurements take long', () => {
    const compare: Encoder['compare'] = async () => ({ runs: [], frameScores: [93, 93, 93] });

    async function plan(slowness: number, secondsOfRun: number) {
      let ms = later(0).getTime();
      const clock = { now: () => new Date(ms), sleep: async () => undefined };
      const run = vi.fn<Encoder['run']>(async ({ outputArguments }) => {
        ms += 1_000 * secondsOfRun;
        return { arguments: argumentTexts(outputArguments), log: '' };
      });
      const recipe = { name: 'compress', targetVmaf: 93 } as const;
      const processors = { count: 2, slowness };
      return { run, planning: planned({ speed: 'fast', recipe, processors, clock, run, compare }) };
    }

    it('is rejected before they start if this worker has no time for them', async () => {
      const { planning, run } = await plan(40, 0);
      const message = expect.stringMatching(
        /its measurements before the chunks take about \d+ s, and a function has 800 s/,
      );
      await expect(planning).rejects.toMatchObject({ code: 'INPUT_TOO_LONG', message });
      expect(run).not.toHaveBeenCalled();
    });

    it('is encoded in chunks once they are done, however little time is left', async () => {
      const { planning, run } = await plan(10, 20);
      expect((await planning).result?.work.chunks.length).toBeGreaterThan(1);
      expect(run).toHaveBeenCalled();
    });
  });

  it('includes the measurements that resolve its plan, and keeps their log', async () => {
    const log = 'encoded';
    const run: Encoder['run'] = async ({ outputArguments }) => ({ arguments: argumentTexts(outputArguments), log });
    const compare: Encoder['compare'] = async () => ({
      runs: [{ arguments: ['compared'], log }],
      frameScores: [93, 93, 93],
    });
    const { result } = await planned({ speed: 'fast', recipe: { name: 'compress', targetVmaf: 93 }, run, compare });
    expect(result?.work.encoding.quality).toEqual({ crf: expect.any(Number) });
    expect(result?.work).toMatchObject({
      comparesWithSource: true,
      result: { measurements: { crf: expect.any(Number) } },
    });
    expect(result?.runs.length).toBeGreaterThan(2);
    expect(result?.runs.every((each) => each.log === log)).toBe(true);
  });
});
