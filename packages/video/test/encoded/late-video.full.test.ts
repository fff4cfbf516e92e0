// @module-tag nightly
// @module-tag timing
import { describe, expect, it } from 'vitest';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { frameTimes } from '../builders/measure/measure-video.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { frameNumber, numberedClip } from '../builders/media/numbered-clip.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

/** Numbered frames from 0.95 s on, and audio from 0 s, as recordings of broadcasts often start. */
async function lateVideo(extension: string): Promise<string> {
  const sine = ['-f', 'lavfi', '-i', 'sine=duration=7:sample_rate=44100', '-itsoffset', '0.95'];
  const streams = ['-map', '0:a', '-map', '1:v', '-c:a', extension === 'flv' ? 'aac' : 'mp2', '-c:v', 'copy'];
  return generatedFile(`late.${extension}`, [...sine, '-i', await numberedClip(5), ...streams]);
}

/** The numbers of the frames in an image of `count` tiles side by side. */
async function framesIn(path: string, count = 1): Promise<number[]> {
  const { width, height, colour } = await decodeFrameAt(path, 0);
  const middles = Array.from({ length: count }, (_, index) => ((index + 0.5) * width) / count);
  return middles.map((x) => frameNumber(colour(Math.floor(x), height / 2)[0] ?? 0));
}

function expectFrames(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [index, frame] of expected.entries())
    expect(Math.abs((found[index] ?? 0) - frame), `${found} for ${expected}`).toBeLessThan(1);
}

describe.each(['ts', 'mkv', 'mp4', 'flv'])('in %s, a video that starts after the audio', (extension) => {
  it.each([
    [0.5, 0],
    [1.5, 5],
    [3, 20],
  ])('shows at %d s its frame %i', async (at, frame) => {
    const recipe = { name: 'thumbnail', at } as const;
    const { path } = await encodeOne(await lateVideo(extension), 'png', recipe);
    expectFrames(await framesIn(path), [frame]);
  });

  it.each(['frame', 'keyframe'] as const)('has its frames in thumbnails of accuracy %s', async (accuracy) => {
    const recipe = { name: 'thumbnails', every: 1.5, accuracy } as const;
    const images = await encode(await lateVideo(extension), 'png', recipe);
    const found = await Promise.all(images.map(({ path }) => framesIn(path)));
    expectFrames(found.flat(), [0, 5, 20, 35, 50]);
  });

  it.each(['frame', 'keyframe'] as const)('has its frames in a sprite of accuracy %s', async (accuracy) => {
    const recipe = { name: 'sprite', every: 1.5, columns: 5, rows: 1, accuracy } as const;
    const [sheet] = await encode(await lateVideo(extension), 'png', recipe);
    expectFrames(await framesIn(sheet?.path ?? '', 5), [0, 5, 20, 35, 50]);
  });

  it.each([0, 0.5, 2])('has all its frames in a GIF from %d s', async (start) => {
    const recipe = { name: 'gif', start, fps: 10 } as const;
    const { path } = await encodeOne(await lateVideo(extension), 'gif', recipe);
    expect(Math.abs((await frameTimes(path)).length - 10 * (7.2 - start))).toBeLessThan(1.6);
  });
});
