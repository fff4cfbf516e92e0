// @module-tag nightly
// @module-tag quality
import { describe, expect, it } from 'vitest';
import { bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

describe('an encoder setting', () => {
  const pattern = (size: string, frames: number) =>
    generatedFile('pattern.mkv', [
      ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`, '-frames:v', String(frames)],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p'],
    ]);
  const streamOf = async (path: string, entry: string) => {
    const args = ['-select_streams', 'v:0', '-show_entries', `stream=${entry}`, '-of', 'csv=p=0'];
    const [value] = await bareFfprobe([...args, path]);
    return value;
  };

  it.each([
    ['slower', '1920x1080', 42],
    ['slow', '1920x1080', 42],
    ['slower', '1280x720', 32],
  ] as const)('preset %s of h264 at %s needs no decoder above level %i', async (preset, size, level) => {
    const recipe = { name: 'transcode', preset } as const;
    const { path } = await encodeOne(await pattern(size, 12), 'mp4', recipe);
    expect(Number(await streamOf(path, 'level'))).toBeLessThanOrEqual(level);
  });

  it.each([
    ['mp4', { codec: 'h264', profile: 'main' }, 'Main', 'yuv420p'],
    ['mp4', { profile: 'high', preset: 'ultrafast' }, 'Constrained Baseline', 'yuv420p'],
    ['mp4', { codec: 'h265' }, 'Main 10', 'yuv420p10le'],
    ['mp4', { codec: 'h265', profile: 'main' }, 'Main', 'yuv420p'],
    ['mp4', { codec: 'av1', preset: 'ultrafast' }, 'Main', 'yuv420p10le'],
    ['webm', { codec: 'vp9', preset: 'faster' }, 'Profile 0', 'yuv420p'],
  ] as const)('in %s of %o gives the profile %s in %s', async (format, settings, profile, pixelFormat) => {
    const source = await pattern('320x180', 12);
    const { path } = await encodeOne(source, format, { name: 'transcode', ...settings });
    expect(await streamOf(path, 'profile')).toBe(profile);
    expect(await streamOf(path, 'pix_fmt')).toBe(pixelFormat);
  });

  it.each([
    { gop: 1, crf: 40 },
    { gop: 2, bitrate: 500 },
  ])('%o holds with av1', async (settings) => {
    const recipe = { name: 'transcode', codec: 'av1', preset: 'ultrafast', ...settings } as const;
    const { path } = await encodeOne(await pattern('320x180', 12), 'mp4', recipe);
    const packets = ['-select_streams', 'v:0', '-show_entries', 'packet=flags', '-of', 'csv=p=0', path];
    const keyframes = (await bareFfprobe(packets)).filter((flags) => flags.startsWith('K'));
    expect(keyframes).toHaveLength(12 / settings.gop);
  });

  it.each(['h264', 'h265', 'vp9', 'av1'] as const)('gop and maxrate of %s hold', async (codec) => {
    const source = await generatedFile('noise.mkv', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=4,noise=alls=60:allf=t'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '5', '-pix_fmt', 'yuv420p'],
    ]);
    const free = { name: 'transcode', codec, gop: 20, crf: 25, preset: 'veryfast' } as const;
    const unlimited = await encodeOne(source, 'mkv', free);
    const { path, probe } = await encodeOne(source, 'mkv', { ...free, maxrate: 300 });
    const keyframes = await bareFfprobe([
      ...['-select_streams', 'v:0', '-show_entries', 'packet=flags', '-of', 'csv=p=0', path],
    ]);
    const gaps = keyframes.join('').split('K').length - 1;
    expect(gaps).toBeGreaterThanOrEqual(5);
    expect(unlimited.probe.sizeBytes * 8).toBeGreaterThan(2 * 4 * 300_000);
    expect(probe.sizeBytes * 8).toBeLessThan(1.6 * 4 * 300_000);
    expect(await peakKbps(path)).toBeLessThan(2 * 300);
  });
});

/** The highest bit rate of the video over two seconds, in kbit/s. */
async function peakKbps(path: string): Promise<number> {
  const lines = await bareFfprobe([
    ...['-select_streams', 'v:0', '-show_entries', 'packet=pts_time,size', '-of', 'csv=p=0', path],
  ]);
  const packets = lines.map((line) => line.split(',').map(Number));
  const windows = packets.map(([start = 0]) =>
    packets.filter(([time = 0]) => time >= start && time < start + 2).reduce((sum, [, bytes = 0]) => sum + bytes, 0),
  );
  return (Math.max(...windows) * 8) / 1000 / 2;
}
