// @module-tag color
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { expectGreen } from '../builders/measure/expect-green.ts';
import { bareFfmpeg, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { asBt601, fastH264, greenClip, greenSource } from '../builders/media/green-clip.ts';
import { retagged } from '../builders/media/retagged.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

/** Standard definition in BT.601, with the matrix tag of that number. */
const clipTagged = async (matrix: number) =>
  retagged(await greenClip(), 'h264_metadata', `matrix_coefficients=${matrix}`);

const matrixOf = (path: string) =>
  bareFfprobe(['-select_streams', 'v:0', '-show_entries', 'stream=color_space', '-of', 'csv=p=0', path]);

describe('untagged standard definition', () => {
  const rotated = async () => {
    const path = join(await aTemporaryFolder(), 'rotated.mp4');
    const rotation = ['-display_rotation', '90', '-i', await clipTagged(2)];
    await bareFfmpeg(['-v', 'error', ...rotation, '-c', 'copy', path]);
    return path;
  };

  it('is BT.601 although a rotation makes it higher than standard definition', async () => {
    const input = await rotated();
    const { path } = await encodeOne(input, 'mp4', { name: 'compress' });
    await expectGreen(path);
    expect(await matrixOf(path)).toEqual(['smpte170m']);
    await expectGreen((await encodeOne(input, 'png', { name: 'thumbnail', at: 0 })).path);
  });

  it('is BT.709 once a rotated video is enlarged to HD', async () => {
    const { path } = await encodeOne(await rotated(), 'mp4', { name: 'resize', width: 720 });
    expect(await matrixOf(path)).toEqual(['bt709']);
    await expectGreen(path);
  });

  it('is BT.601 although wide pixels make it wider than standard definition', async () => {
    const vf = `scale=720:576,${asBt601},setparams=colorspace=unknown:range=unknown,setsar=1.9`;
    const input = await generatedFile('wide-pixels.mp4', [...greenSource, '-vf', vf, ...fastH264]);
    const { path, probe } = await encodeOne(input, 'mp4', { name: 'compress' });
    expect(probe.streams[0]).toMatchObject({ width: 1368 });
    await expectGreen(path);
  });
});

describe('a color matrix', () => {
  it('of RGB, for YUV, is taken as missing', async () => {
    const input = await clipTagged(0);
    const { path } = await encodeOne(input, 'mp4', { name: 'compress' });
    await expectGreen(path);
    expect(await matrixOf(path)).toEqual(['smpte170m']);
    await expectGreen((await encodeOne(input, 'png', { name: 'thumbnail', at: 0 })).path);
  });

  it.each([
    [8, 'ycgco'],
    [14, 'ictcp'],
  ])('of number %i, which ffmpeg does not convert, is named in the error', async (matrix, name) => {
    const input = await clipTagged(matrix);
    for (const [format, recipe] of [
      ['mp4', { name: 'compress' }],
      ['jpg', { name: 'thumbnail', at: 0 }],
      ['gif', { name: 'gif' }],
    ] as const) {
      await expect(encodeOne(input, format, recipe)).rejects.toMatchObject({
        code: 'INPUT_UNSUPPORTED',
        message: expect.stringContaining(`found ${name}`),
      });
    }
    await encodeOne(input, 'mp4', { name: 'mute' });
  });
});
