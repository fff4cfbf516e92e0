// @module-tag sources
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { describeJoinedFiles } from '../../src/media/probe/joined-files.ts';
import { readMp4File } from '../../src/media/probe/mp4-file.ts';
import { inputLimitsSchema, validateProbe } from '../../src/probe.ts';
import { clipWith } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { lateTimeline } from '../builders/media/late-timeline.ts';
import { twoDescriptions } from '../builders/media/two-descriptions.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

/** A server that appends to FLV writes no second header. */
const headerBytes = 13;

/** @param skipped bytes at the start of all files but the first that are left out */
async function joined(parts: readonly string[], skipped = 0) {
  const path = join(await aTemporaryFolder(), 'joined');
  const files = await Promise.all(parts.map((part) => readFile(part)));
  const bytes = Buffer.concat(files.map((file, index) => file.subarray(index > 0 ? skipped : 0)));
  await writeFile(path, bytes);
  return { path, bytes };
}

async function validate(parts: readonly string[]): Promise<void> {
  const { path, bytes } = await joined(parts);
  const probe = await anEncoder().probe(path);
  const readAt = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const remote = await readMp4File({ readAt, sizeBytes: bytes.length }, { isRemote: true });
  expect(remote.wholeness.misreading).toBe(probe.misreading);
  validateProbe(probe, inputLimitsSchema.parse({}));
}

it.each([
  ['are not fragmented', () => Promise.all([clipWith(), clipWith()])],
  ['begin at the same time', () => Promise.all([lateTimeline('mp4', 0), lateTimeline('mp4', 0)])],
  ['have other settings', () => Promise.all([lateTimeline('mp4', 0), twoDescriptions('same')])],
])('an MP4 of several files that %s is rejected', async (_, parts) => {
  const error = {
    code: 'INPUT_UNSUPPORTED',
    message: expect.stringContaining('2 files one behind the other'),
  };
  await expect(parts().then(validate)).rejects.toMatchObject(error);
});

it('an MP4 whose index is repeated between its fragments is accepted', async () => {
  await expect(validate([await lateTimeline('mp4', 0), await lateTimeline('mp4', 12)])).resolves.toBeUndefined();
});

const patterns = ['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25:duration=3'];
const tone = ['-f', 'lavfi', '-i', 'sine=duration=3'];
const webm = [...patterns, ...tone, ...'-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus'.split(' ')];
const h264 = [...patterns, ...tone, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];

const another = 'begins another one';

it.each<[string, readonly string[], string, number?]>([
  ['appended.flv', h264, 'timestamps start again at 3.0', headerBytes],
  ['appended-audio.flv', [...tone, '-c:a', 'aac'], 'timestamps start again at 3.0', headerBytes],
  ['one.flv', h264, another],
  ['one.webm', webm, another],
  ['recorded.webm', [...webm, '-live', '1'], 'timestamps start again at 3.0'],
  ['one.avi', [...patterns, ...tone], another],
  ['one.wmv', [...patterns, ...tone], another],
  ['one.mxf', [...patterns, ...tone, '-c:v', 'mpeg2video', '-ar', '48000'], another],
  ['one.wav', tone, another],
  ['large.wav', [...tone, '-rf64', 'always'], another],
  ['odd.wav', [...tone, '-c:a', 'pcm_u8', '-t', '1.00001'], another],
  ['one.aiff', tone, another],
  ['one.caf', tone, another],
  ['one.wv', [...tone, '-ac', '6'], another],
  ['one.flac', tone, 'timestamps start again at 2.'],
])('a file of two is rejected, of which only the first would be read: %s', async (name, args, message, skipped) => {
  const part = await generatedFile(name, args);
  const { path } = await joined([part, part], skipped);
  const limits = inputLimitsSchema.parse({});
  const [single, both] = [await anEncoder().probe(part), await anEncoder().probe(path)];
  expect(() => validateProbe(single, limits)).not.toThrow();
  expect(() => validateProbe(both, limits)).toThrow(message);
});

it('a walk of many small chunks ends', async () => {
  const [header, tag] = [Buffer.from('464c5601050000000900000000', 'hex'), Buffer.alloc(15)];
  let reads = 0;
  const readAt = async (offset: number) => {
    reads += 1;
    return offset === 0 ? header : tag;
  };
  expect(await describeJoinedFiles('flv', { readAt, sizeBytes: 5_000_000_000, isRemote: false })).toBeUndefined();
  expect(reads).toBe(200_000);
});

it('the parts of a large AVI are one file', async () => {
  const riff = (form: string) => Buffer.concat([Buffer.from(`RIFF\x20\0\0\0${form}`, 'latin1'), Buffer.alloc(28)]);
  const describe = (file: Buffer) =>
    describeJoinedFiles('avi', {
      readAt: async (offset, length) => file.subarray(offset, offset + length),
      sizeBytes: file.length,
      isRemote: false,
    });
  const large = Buffer.concat([riff('AVI '), riff('AVIX'), riff('AVIX')]);
  expect(await describe(large)).toBeUndefined();
  expect(await describe(Buffer.concat([large, riff('AVI ')]))).toContain('byte 120 begins another one');
});

it.each([
  ['vorbis.ogg', [...tone, '-c:a', 'libvorbis']],
  ['flac.oga', [...tone, '-c:a', 'flac']],
])('an Ogg joined with itself is read whole: %s', async (name, args) => {
  const part = await generatedFile(name, args);
  const { path } = await joined([part, part]);
  const { probe } = await encodeOne(path, 'm4a', { name: 'extract-audio' });
  expect(probe.durationSeconds).toBeCloseTo(6, 0);
});

it('an Ogg joined with itself is rejected if its headers would be decoded: Opus', async () => {
  const part = await generatedFile('opus.opus', [...tone, '-c:a', 'libopus']);
  const { path } = await joined([part, part]);
  expect((await anEncoder().probe(part)).misreading).toBeUndefined();
  expect((await anEncoder().probe(path)).misreading).toMatch(/stream \d+ begins again/);
});

it('a broadcast of two short ones is read whole', async () => {
  const part = await generatedFile('short.ts', h264);
  const { path } = await joined([part, part]);
  const { probe } = await encodeOne(path, 'mp4', { name: 'compress', preset: 'ultrafast' });
  expect(probe.durationSeconds).toBeCloseTo(6, 0);
});
