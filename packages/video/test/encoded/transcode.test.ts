// @module-tag quality
// @module-tag timing
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { frameTimes, ssim } from '../builders/measure/measure-video.ts';
import { bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

describe('transcode', () => {
  it.each([
    ['mp4', 'h264', 'h264', 'aac'],
    ['mov', 'h265', 'hevc', 'aac'],
    ['webm', 'vp9', 'vp9', 'opus'],
    ['mkv', 'av1', 'av1', 'aac'],
  ] as const)('writes %s with %s that looks like the source, frame for frame', async (format, codec, video, audio) => {
    const source = await clipWith();
    const output = await encodeOne(source, format, { name: 'transcode', codec });
    expect(output.probe.streams).toMatchObject([{ codec: video }, { codec: audio }]);
    expect(await frameTimes(output.path)).toHaveLength(50);
    expect(await ssim({ path: output.path }, { path: source })).toBeGreaterThan(0.9);
  });

  it("tags H.265 in MP4 so that Apple's players take it", async () => {
    const output = await encodeOne(await clipWith(), 'mp4', { name: 'transcode', codec: 'h265' });
    const tag = await bareFfprobe([
      ...'-select_streams v -show_entries stream=codec_tag_string -of csv=p=0'.split(' '),
      output.path,
    ]);
    expect(tag).toEqual(['hvc1']);
  });

  it('puts the index of an MP4 at the front', async () => {
    const output = await encodeOne(await clipWith(), 'mp4', { name: 'transcode' });
    const boxes = await topLevelBoxes(output.path);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
  });

  it('converts a variable frame rate to the requested constant one', async () => {
    const output = await encodeOne(await clipWith({ rate: 'variable' }), 'mp4', { name: 'transcode', fps: 10 });
    const times = await frameTimes(output.path);
    expect(times).toHaveLength(20);
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 10, 3);
  });

  it("converts 29.97 fps to NTSC's 30000/1001", async () => {
    const { path } = await encodeOne(await clipWith(), 'mp4', { name: 'transcode', fps: 29.97 });
    const [rate] = await bareFfprobe(['-show_entries', 'stream=r_frame_rate', '-of', 'csv=p=0', path]);
    expect(rate).toBe('30000/1001');
  });

  it('drops tags, chapters and subtitles', async () => {
    const output = await encodeOne(await clipWith({ subtitles: true }), 'mkv', { name: 'transcode' });
    expect(output.probe.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  });
});

async function topLevelBoxes(path: string): Promise<string[]> {
  const file = await readFile(path);
  const boxes: string[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) boxes.push(file.toString('latin1', at + 4, at + 8));
  return boxes;
}
