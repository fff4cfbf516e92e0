// @module-tag nightly
// @module-tag geometry
// @module-tag sources
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { concatListInput } from '../../src/media/ffmpeg/command.ts';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { bareFfmpeg } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { aVideoWithGrowingFrames } from '../builders/media/unusual-clips.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

const framesPerSecond = 10;

/** The index of the frame on screen: each is 9.3 of 255 steps brighter than the one before. */
async function frameAt(path: string, { x = 4, seconds = 0 }): Promise<number> {
  const [, green = 0] = (await decodeFrameAt(path, seconds)).colour(x, 4);
  return Math.round((green * 219) / 255 / 8);
}

describe.each([false, true])('a video whose frame size changes (interlaced: %s)', (isInterlaced) => {
  const video = () => aVideoWithGrowingFrames({ isInterlaced });

  it('becomes a sprite with the frame of each cue', async () => {
    const request = { name: 'sprite', every: 0.2, columns: 10, rows: 1, tileWidth: 16 } as const;
    const [sheet] = await encode(await video(), 'png', request);
    const tiles = Array.from({ length: 10 }, (_, tile) => tile);
    const seen = await Promise.all(tiles.map((tile) => frameAt(sheet?.path ?? '', { x: tile * 16 + 8 })));
    expect(seen).toEqual(tiles.map((tile) => tile * 2));
  });

  it('becomes thumbnails that show the frames of their times', async () => {
    const images = await encode(await video(), 'png', { name: 'thumbnails', every: 0.7, accuracy: 'frame' });
    expect(await Promise.all(images.map(({ path }) => frameAt(path, {})))).toEqual([0, 7, 14]);
  });

  it('neither drops nor repeats a frame at another frame rate', async () => {
    const { path } = await encodeOne(await video(), 'mkv', { name: 'speed', factor: 0.5 });
    const moments = [0, 1.8, 2, 2.2, 3.8];
    const seen = await Promise.all(moments.map((seconds) => frameAt(path, { seconds: seconds - 0.02 })));
    expect(seen).toEqual(moments.map((seconds) => (seconds * framesPerSecond) / 2));
  });

  it('neither drops nor repeats a frame when it is joined', async () => {
    const inputs = [await video(), await video()] as const;
    const { path } = await encodeOne({ inputs }, 'mp4', { name: 'concat' });
    // One frame for each field.
    expect(await frameTimes(path)).toHaveLength(isInterlaced ? 80 : 40);
    const moments = [0.9, 1, 1.1, 1.9, 2, 2.9, 3, 3.9];
    const seen = await Promise.all(moments.map((seconds) => frameAt(path, { seconds: seconds - 0.02 })));
    expect(seen).toEqual(moments.map((seconds) => Math.round((seconds % 2) * framesPerSecond)));
  });

  it('has the watermark on every frame', async () => {
    const red = join(await aTemporaryFolder(), 'red');
    await bareFfmpeg(['-f', 'lavfi', '-i', 'color=red:size=64x64', '-frames:v', '1', '-f', 'image2', red]);
    const files = { inputs: [await video()], assets: { image: red } } as const;
    const mark = { image: 'https://example.com/red.png', position: 'center', scale: 0.5 } as const;
    const { path } = await encodeOne(files, 'mp4', { name: 'watermark', ...mark });
    for (const seconds of [0.5, 1.5]) {
      const [r = 0, g = 0] = (await decodeFrameAt(path, seconds)).colour(80, 45);
      expect(r - g, `at ${seconds} s`).toBeGreaterThan(200);
    }
  });

  it('becomes a GIF of one size', async () => {
    const output = await encodeOne(await video(), 'gif', { name: 'gif' });
    expect(output.probe.durationSeconds).toBeCloseTo(2, 0);
  });
});

it('a call of a phone that is turned keeps both shapes', async () => {
  const half = (size: string) => {
    const pattern = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=1`];
    return generatedFile('half.webm', [...pattern, '-c:v', 'libvpx', '-b:v', '2M', '-deadline', 'realtime']);
  };
  const turned = await half('90x160');
  const parts = [await half('160x90'), turned].map((path) => ({ path, seconds: 1 }));
  const { path: list, options = [] } = concatListInput(parts);
  const guards = ['-protocol_whitelist', 'file,data'];
  const source = await generatedFile('turned.webm', [...guards, ...options, '-i', list, '-c', 'copy']);
  const { path } = await encodeOne(source, 'mp4', { name: 'compress', crf: 18, preset: 'ultrafast' });
  const cut = (second: number) => `trim=${second + 0.19}:${second + 0.79},setpts=PTS-STARTPTS,setsar=1`;
  const expected = { path: turned, filters: `${cut(0)},scale=50:90,pad=160:90:-1:-1,setsar=1` };
  expect(await ssim({ path, filters: cut(1) }, expected)).toBeGreaterThan(0.9);
});
