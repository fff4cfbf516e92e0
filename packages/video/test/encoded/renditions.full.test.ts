// @module-tag nightly
// @module-tag streams
import { describe, expect, it } from 'vitest';
import { audioSeconds, frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { clipWith } from '../builders/media/clips.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

const heights = [144, 160, 180, 240];

describe('renditions', () => {
  it.each(['mp4', 'webm'] as const)('are the requested sizes in %s, none of them enlarged', async (format) => {
    const outputs = await encode(await clipWith(), format, { name: 'renditions', heights });
    const found = outputs.map(({ name, filename, probe }) => [name, filename, ...probe.streams]);
    const audio = { kind: 'audio', channels: 1 };
    expect(found).toMatchObject([
      ['180p', `180p.${format}`, { width: 320, height: 180 }, audio],
      ['160p', `160p.${format}`, { width: 284, height: 160 }, audio],
      ['144p', `144p.${format}`, { width: 256, height: 144 }, audio],
    ]);
  });

  it('have the video and audio of a source with a variable frame rate', async () => {
    const source = await clipWith({ rate: 'variable' });
    const times = await frameTimes(source);
    for (const { name, path, expectation } of await encode(source, 'mp4', { name: 'renditions', heights })) {
      const scaled = `scale=${expectation?.video?.width}:${expectation?.video?.height}`;
      expect(await ssim({ path }, { path: source, filters: scaled }), name).toBeGreaterThan(0.95);
      expect(await frameTimes(path)).toHaveLength(times.length);
      expect(Math.abs((await audioSeconds(path)) - 2)).toBeLessThan(0.1);
    }
  });

  it('of a portrait clip are named by their width', async () => {
    const source = await clipWith({ shape: 'portrait' });
    const output = await encodeOne(source, 'mp4', { name: 'renditions', heights: [144] });
    expect(output.probe.streams[0]).toMatchObject({ width: 144, height: 256 });
    const upright = { path: await clipWith(), filters: 'transpose=cclock,scale=144:256' };
    expect(await ssim({ path: output.path }, upright)).toBeGreaterThan(0.95);
  });
});
