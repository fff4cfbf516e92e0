// @module-tag timing
// @module-tag sources
// @module-tag audio
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/media/formats.ts';
import { type Lengths, recording } from '../builders/media/recording.ts';
import { withoutStreamEnds } from '../builders/media/without-stream-ends.ts';
import { type encode, encodeOne } from '../builders/recipes/encode.ts';

const matroska = async (lengths: Lengths) => withoutStreamEnds(await recording('stated.mkv', lengths));

const flashVideo = (lengths: Lengths) => recording('recording.flv', lengths);

/** Its audio has a variable bit rate, which ffprobe cannot estimate. */
const variable = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'libmp3lame', '-q:a', '9', '-ar', '44100'];

/** As MediaRecorder of a browser writes it: without any duration. */
const browserRecording = (lengths: Lengths) =>
  recording('live.webm', lengths, ['-c:v', 'libvpx', '-c:a', 'libopus', '-live', '1']);

describe('a video that ends before its audio, in a file that states only its own duration', () => {
  const lengths = { video: 2, audio: 8 };

  it.each<[Format, Parameters<typeof encode>[2]]>([
    ['mp4', { name: 'mute' }],
    ['gif', { name: 'gif' }],
    ['webp', { name: 'animated-webp' }],
  ])('lasts as long as its frames do: %s, %o', async (format, recipe) => {
    for (const source of [await matroska(lengths), await flashVideo(lengths)]) {
      const { probe } = await encodeOne(source, format, recipe);
      expect(probe.durationSeconds).toBeCloseTo(2, 0);
    }
  });

  it('is joined with another', async () => {
    const source = await matroska(lengths);
    const { probe } = await encodeOne({ inputs: [source, source] }, 'mp4', { name: 'concat' });
    expect(probe.durationSeconds).toBeCloseTo(4, 0);
  });

  it('has no frame behind its last one', async () => {
    const source = await matroska(lengths);
    const frame = encodeOne(source, 'jpg', { name: 'thumbnail', at: 6 });
    await expect(frame).rejects.toThrow('the video lasts 2.0');
  });
});

describe('audio that ends before its video, in a file that does not state it', () => {
  const lengths = { video: 8, audio: 6 };

  it.each([
    ['Matroska', matroska],
    ['FLV', flashVideo],
    ['a recording of a browser', browserRecording],
  ])('is extracted whole: %s', async (_, source) => {
    const { probe } = await encodeOne(await source(lengths), 'm4a', { name: 'extract-audio' });
    expect(probe.durationSeconds).toBeCloseTo(6, 1);
  });

  it('is normalized whole', async () => {
    const { probe } = await encodeOne(await matroska(lengths), 'mp3', { name: 'normalize-audio' });
    expect(probe.durationSeconds).toBeCloseTo(6, 0);
  });
});

it.each<[Format, Parameters<typeof encode>[2]]>([
  ['mp4', { name: 'mute' }],
  ['m4a', { name: 'extract-audio' }],
])('a truncated file is still detected: %s, %o', async (format, recipe) => {
  const whole = await readFile(await matroska({ video: 8, audio: 8 }));
  const path = join(await aTemporaryFolder(), 'truncated.mkv');
  await writeFile(path, whole.subarray(0, Math.floor(whole.length / 2)));
  await expect(encodeOne(path, format, recipe)).rejects.toThrow(/is damaged: of \d+ (audio|video) frames/);
});

/** The lengths that a header states, of a file of eight seconds: each changes the number at a place. */
const misstated: Record<string, (bytes: Buffer, factor: number) => unknown> = {
  // The element Duration, a double.
  mkv: (bytes, factor) => {
    const at = bytes.indexOf(Buffer.from('448988', 'hex')) + 3;
    bytes.writeDoubleBE(factor * bytes.readDoubleBE(at), at);
  },
  flv: (bytes, factor) => {
    const at = bytes.indexOf('duration') + 'duration'.length + 1;
    bytes.writeDoubleBE(factor * bytes.readDoubleBE(at), at);
  },
  // Frames, in the header of Xing.
  mp3: (bytes, factor) => {
    const at = Math.max(bytes.indexOf('Info'), bytes.indexOf('Xing')) + 8;
    bytes.writeUInt32BE(factor * bytes.readUInt32BE(at), at);
  },
  // The lower bits of the number of samples, in STREAMINFO.
  flac: (bytes, factor) => bytes.writeUInt32BE(factor * bytes.readUInt32BE(22), 22),
  // Without an index, ffprobe estimates the duration.
  avi: (bytes) => bytes.write('none', bytes.indexOf('idx1')),
};

it.each([
  ['mkv', 0.5],
  ['mkv', 4],
  ['flv', 0.5],
  ['flv', 4],
  ['mp3', 0.5],
  ['mp3', 4],
  ['flac', 0.5],
  ['avi', 1],
] as const)('a file lasts as long as its packets, whatever its header says: %s, %dx', async (extension, factor) => {
  const length = { video: 8, audio: 8 };
  const isAudio = extension === 'mp3' || extension === 'flac';
  const stated =
    extension === 'mkv'
      ? await matroska(length)
      : await recording(`stated.${extension}`, length, isAudio ? ['-map', '1:a', '-id3v2_version', '0'] : variable);
  const path = join(await aTemporaryFolder(), `misstated.${extension}`);
  const bytes = await readFile(stated);
  misstated[extension]?.(bytes, factor);
  await writeFile(path, bytes);
  const { probe } = await encodeOne(path, 'm4a', { name: 'extract-audio' });
  expect(probe.durationSeconds).toBeCloseTo(8, 0);
});
