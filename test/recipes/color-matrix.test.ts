import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { bareFfmpeg, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';
import { aTemporaryFolder } from '../builders/system/temporary-folder.ts';

const green = [0, 190, 0] as const;
const source = ['-f', 'lavfi', '-i', 'color=0x00be00:size=640x480:rate=5:duration=0.6'];
const as601 = 'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p';
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4'];

/** Standard definition in BT.601, with the matrix tag of that number. */
async function clipTagged(matrix: number): Promise<string> {
  const path = join(await aTemporaryFolder(), 'tagged.mp4');
  const untagged = await generatedFile('sd-green.mp4', [...source, '-vf', as601, ...h264]);
  const tag = `h264_metadata=matrix_coefficients=${matrix}`;
  await bareFfmpeg(['-v', 'error', '-i', untagged, '-c', 'copy', '-bsf:v', tag, path]);
  return path;
}

async function expectGreen(path: string): Promise<void> {
  const found = (await decodeFrameAt(path, 0)).colour(100, 100);
  // The wrong matrix differs by 30.
  for (const [index, value] of green.entries()) {
    expect(Math.abs((found[index] ?? 0) - value), `${found}`).toBeLessThan(8);
  }
}

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
    const vf = `scale=720:576,${as601},setparams=colorspace=unknown:range=unknown,setsar=1.9`;
    const input = await generatedFile('wide-pixels.mp4', [...source, '-vf', vf, ...h264]);
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
    [3, 'reserved'],
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
