import { readFile } from 'node:fs/promises';
import { generatedFile } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { readHeader } from '../../../adapters/mediabunny/read-header.ts';

const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2'];
const sound = ['-f', 'lavfi', '-i', 'sine=duration=2'];

async function headerOf(bytes: Buffer) {
  let read = 0;
  const header = await readHeader({
    sizeBytes: bytes.length,
    read: async (start, end) => {
      read += end - start;
      return bytes.subarray(start, end);
    },
  });
  return { header, read };
}

const video = { kind: 'video', codec: 'h264', width: 320, height: 180, framesPerSecond: expect.closeTo(25, 1) };
const audio = { kind: 'audio' };

it.each([
  ['header.mp4', [...source, ...sound, '-shortest'], [video, audio]],
  ['header.mkv', [...source, ...sound, '-shortest'], [video, audio]],
  ['header.ts', [...source, ...sound, '-shortest', '-c:v', 'libx264'], [video, audio]],
  ['silent.mov', source, [video]],
  ['header.mp3', sound, [audio]],
])('%s: duration, frame and rate', async (name, args, streams) => {
  const bytes = await readFile(await generatedFile(name, args));
  const { header } = await headerOf(bytes);
  expect(header).toMatchObject({ sizeBytes: bytes.length, streams });
  expect(Math.abs((header?.durationSeconds ?? 0) - 2)).toBeLessThan(0.15);
});

it('a video that it does not know is no sound', async () => {
  const large = source.with(3, 'testsrc2=size=1280x720:rate=25:duration=2');
  const bytes = await readFile(await generatedFile('mpeg2.ts', [...large, ...sound, '-shortest', '-q:v', '1']));
  expect((await headerOf(bytes)).header).toBeUndefined();
});

it('what is no media, and what is cut off, has no header', async () => {
  const bytes = await readFile(await generatedFile('header.mp4', [...source, ...sound, '-shortest']));
  for (const each of [Buffer.from('no media at all'), bytes.subarray(0, 1_000)])
    expect((await headerOf(each)).header).toBeUndefined();
});
