// @module-tag copies
import { describe, expect, it } from 'vitest';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { twoDescriptions } from '../builders/media/two-descriptions.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const framesOf = async (path: string) => {
  const log = await bareFfmpeg(['-i', path, '-map', '0:v', '-f', 'null', '-']);
  return Number([...log.matchAll(/frame= *(\d+)/g)].at(-1)?.[1]);
};

/** A video without keyframes after the first: parts of each frame are refreshed, and x264 marks where one begins. */
const refreshed = () =>
  generatedFile('refreshed.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=8', '-c:v', 'libx264'],
    ...['-preset', 'fast', '-x264-params', 'intra-refresh=1:keyint=50'],
  ]);

describe('a video with several sample descriptions', () => {
  it.each([
    ['remux', { name: 'remux' }, 'Use transcode'],
    ['clip', { name: 'clip', start: 1, end: 4, accuracy: 'keyframe' }, 'Use accuracy frame'],
  ] as const)('is not copied by %s', async (_, recipe, hint) => {
    const error = { code: 'INPUT_UNSUPPORTED', message: expect.stringContaining(hint) };
    await expect(encodeOne(await twoDescriptions('different'), 'mp4', recipe)).rejects.toMatchObject(error);
  });

  it('is encoded by a recipe that would copy it', async () => {
    const { path } = await encodeOne(await twoDescriptions('different'), 'mp4', { name: 'mute' });
    expect(await framesOf(path)).toBe(125);
  });

  it('is copied if they are the same', async () => {
    const { path } = await encodeOne(await twoDescriptions('same'), 'mp4', { name: 'remux' });
    expect(await framesOf(path)).toBe(125);
  });
});

describe('a copy is decoded at its seams', () => {
  it('and fails if a cut begins with frames that nothing decodes', async () => {
    const clip = { name: 'clip', start: 3, end: 6, accuracy: 'keyframe' } as const;
    await expect(encodeOne(await refreshed(), 'mp4', clip)).rejects.toMatchObject({
      code: 'INPUT_UNSUPPORTED',
      message: expect.stringContaining('does not decode at its start. Use accuracy frame'),
    });
  });

  it('and is as good as a source whose seams do not decode either', async () => {
    const { path } = await encodeOne(await refreshed(), 'mp4', { name: 'remux' });
    expect(await framesOf(path)).toBe(200);
  });
});
