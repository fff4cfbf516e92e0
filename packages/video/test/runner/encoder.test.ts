import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { ffmpegPrograms } from '../builders/media/bare-ffmpeg.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

/** An encoder whose ffmpeg exists only between `appear` and `disappear`. */
async function aFleetingEncoder() {
  const ffmpegPath = join(await aTemporaryFolder(), 'ffmpeg');
  return {
    encoder: anEncoder({ ffmpegPath, vmafPath: undefined }),
    appear: () => symlink(ffmpegPrograms.ffmpegPath, ffmpegPath),
    disappear: () => rm(ffmpegPath),
  };
}

describe.each(['version', 'canCompare'] as const)('%s of ffmpeg', (question) => {
  it('is queried again after a failure, whose message names the program', async () => {
    const { encoder, appear } = await aFleetingEncoder();
    await expect(encoder[question]()).rejects.toThrow(/ffmpeg with -\w+ \(code 127\): .*not found/);
    await appear();
    expect(await encoder[question]()).toEqual(await anEncoder({ vmafPath: undefined })[question]());
  });

  it('is queried only once after a success', async () => {
    const { encoder, appear, disappear } = await aFleetingEncoder();
    await appear();
    const answer = await encoder[question]();
    await disappear();
    expect(await encoder[question]()).toBe(answer);
  });
});
