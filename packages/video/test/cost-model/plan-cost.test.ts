import { describe, expect, it } from 'vitest';
import { costTable } from '../../src/cost-model/cost-table.ts';
import { planCost } from '../../src/cost-model/plan-cost.ts';
import type { Format } from '../../src/media/formats.ts';
import type { Probe, VideoStream } from '../../src/media/probe/probe.ts';
import { planRecipe, recipeRequestSchema, recipes } from '../../src/recipes/registry.ts';
import { anAudioStream, aProbe, aVideoStream } from '../builders/media/a-probe.ts';
import { exampleFiles } from '../builders/recipes/example-files.ts';
import { exampleProbe } from '../builders/recipes/example-probe.ts';

const minute = { durationSeconds: 60 };

/** A minute of 720p at 25 fps in 15 MB, with audio. */
function aMinute(video: Partial<VideoStream> = {}, sizeBytes = 15e6): Probe {
  const stream = aVideoStream({ ...minute, width: 1280, height: 720, ...video });
  return aProbe([stream, anAudioStream(minute)], { ...minute, sizeBytes });
}

function cost(recipe: { name: string } & Record<string, unknown>, probe = aMinute(), format: Format = 'mp4') {
  const request = recipeRequestSchema.parse(recipe);
  const plan = planRecipe(request, {
    probe,
    format,
    inputPath: '/in',
    outputDirectory: '/out',
    canCompare: true,
  });
  return planCost(plan, [{ path: '/in', probe }]);
}

const seconds = (...args: Parameters<typeof cost>) => cost(...args).cpuSeconds;

const compress = { name: 'compress' };

describe('the processor time of a plan', () => {
  it.each([
    ['a slower preset', seconds({ ...compress, preset: 'slow' }), seconds({ ...compress, preset: 'veryfast' })],
    ['a better quality', seconds({ ...compress, crf: 18 }), seconds({ ...compress, crf: 32 })],
    ['a larger output', seconds(compress), seconds({ ...compress, maxHeight: 360 })],
    ['a busier source', seconds(compress, aMinute({}, 60e6)), seconds(compress, aMinute({}, 4e6))],
    ['a source of more frames', seconds(compress, aMinute({ framesPerSecond: 50 })), 1.2 * seconds(compress)],
    ['two passes', seconds({ name: 'transcode', targetSizeMb: 6 }), 1.9 * seconds({ name: 'transcode' })],
    ['a search for VMAF', seconds({ ...compress, targetVmaf: 93 }), seconds(compress)],
    ['a ladder', seconds({ name: 'renditions' }), 1.3 * seconds({ name: 'transcode' })],
    ['HDR', seconds(compress, aMinute({ hdrTransfer: 'pq' })), 1.5 * seconds(compress)],
  ])('is more for %s', (_, more, less) => {
    expect(more).toBeGreaterThan(less);
  });

  it('counts the pixels of the source: 4K to 480p takes several times what 480p takes', () => {
    const small = { ...compress, maxHeight: 480 };
    const uhd = { width: 3840, height: 2160, codec: 'hevc', bitDepth: 10, hdrTransfer: 'pq' as const };
    const sd = { width: 854, height: 480 };
    expect(seconds(small, aMinute(uhd, 150e6))).toBeGreaterThan(3 * seconds(small, aMinute(sd)));
  });

  it('has the work of a single thread, and the bytes that are copied', () => {
    const audio = cost({ name: 'extract-audio' }, aMinute(), 'm4a');
    expect(audio).toMatchObject({ serialSeconds: audio.cpuSeconds, copiedBytes: 0 });
    expect(cost(compress)).toMatchObject({ serialSeconds: 0, copiedBytes: 0 });
    const copy = cost({ name: 'remux' });
    expect(copy.copiedBytes).toBe(copy.outputBytes);
    expect(copy.copiedBytes).toBeCloseTo(15e6, -5);
  });

  it('counts only the range that is read', () => {
    const part = seconds({ name: 'clip', start: 10, end: 16 });
    expect(part).toBeLessThan(0.2 * seconds({ name: 'clip', start: 0, end: 60 }));
    const hdr = aMinute({ hdrTransfer: 'pq' });
    const whole = seconds({ name: 'clip', start: 0, end: 60 }, hdr);
    expect(seconds({ name: 'clip', start: 10, end: 16 }, hdr)).toBeLessThan(0.2 * whole);
  });

  it('counts all frames of a range that starts with a held one, and of a ladder with a stereo pair', () => {
    const range = { name: 'clip', start: 10, end: 16 };
    const variable = aMinute({ framesPerSecond: 25, baseFramesPerSecond: 60 });
    expect(seconds(range, variable)).toBeGreaterThan(0.9 * seconds(range));
    const pair = [
      anAudioStream({ ...minute, joinedIndexes: [2] }),
      anAudioStream({ ...minute, index: 2, channels: 1 }),
    ];
    const [video = aVideoStream()] = aMinute().streams;
    const paired = aProbe([video, ...pair], { ...minute, sizeBytes: 15e6 });
    expect(seconds({ name: 'renditions' }, paired)).toBeGreaterThan(0.9 * seconds({ name: 'renditions' }));
  });

  it('decodes little more than the one frame of an image', () => {
    const tiles = seconds({ name: 'contact-sheet', columns: 2, rows: 2 }, undefined, 'jpg');
    expect(tiles).toBeLessThan(seconds({ name: 'clip', start: 10, end: 16 }));
  });

  it('counts every frame that the palette of a GIF is made of', () => {
    const gif = { name: 'gif', seconds: 10 };
    expect(seconds(gif, undefined, 'gif')).toBeGreaterThan(1.5 * seconds({ ...gif, seconds: 5 }, undefined, 'gif'));
  });

  it('is little for a copy', () => {
    expect(seconds({ name: 'remux' })).toBeLessThan(1);
  });

  it('divides the work into measurements and what follows them', () => {
    const { cpuSeconds, finalCpuSeconds } = cost({ ...compress, targetVmaf: 93 });
    expect(finalCpuSeconds).toBeLessThan(cpuSeconds);
    expect(cost(compress).finalCpuSeconds).toBe(cost(compress).cpuSeconds);
  });

  it('includes the score of the finished file', () => {
    const encoded = cost(compress).cpuSeconds;
    const megapixels = 60 * 25 * 1280 * 720 * 1e-6;
    const scored = (costTable.vmafPerMegapixel / 3) * megapixels;
    expect(cost({ ...compress, targetVmaf: 93 }).finalCpuSeconds).toBeGreaterThan(encoded + scored);
  });

  it('is that of all codecs of a stream, of which the slowest is the share of a chunk task', () => {
    const inCodecs = (codecs: string[]) => cost({ name: 'hls', codecs }, aMinute(), 'm3u8');
    const [one, all] = [inCodecs(['h264']), inCodecs(['h264', 'h265', 'av1'])];
    expect(one.codecCpuSeconds).toBe(one.cpuSeconds);
    expect(all.finalCpuSeconds).toBe(all.cpuSeconds);
    const largest = Math.max(inCodecs(['h264', 'h265']).cpuSeconds, inCodecs(['h264', 'av1']).cpuSeconds);
    expect(all.codecCpuSeconds).toBeCloseTo(largest - one.cpuSeconds, 6);
  });
});

describe('the size of the outputs', () => {
  it('follows a bit rate', () => {
    const { outputBytes } = cost({ name: 'transcode', bitrate: 1000 });
    expect(outputBytes / 60).toBeCloseTo((1000 + 128) * 125, -3);
  });

  it('is that of the source for a copy', () => {
    expect(cost({ name: 'remux' }).outputBytes).toBeCloseTo(15e6, -5);
  });
});

describe.each(recipes.map((recipe) => [recipe.name, recipe] as const))('the example of %s', (name, { example }) => {
  it('has a finite time', () => {
    const request = recipeRequestSchema.parse(example.recipe);
    const { format } = example.output;
    const probe = exampleProbe(name);
    const files = exampleFiles(request);
    const plan = planRecipe(request, {
      probe,
      format,
      inputPath: '/job/input',
      outputDirectory: '/job/out',
      canCompare: true,
      ...files,
    });
    const { cpuSeconds } = planCost(plan, [{ path: '/job/input', probe }, ...files.inputs]);
    const copies = ['probe', 'remux', 'mute', 'image', 'extract-subtitles'];
    expect(cpuSeconds).toBeGreaterThanOrEqual(copies.includes(name) ? 0 : 0.01);
    expect(cpuSeconds).toBeLessThan(300);
  });
});
