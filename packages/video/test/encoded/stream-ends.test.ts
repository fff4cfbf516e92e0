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
  await expect(encodeOne(path, format, recipe)).rejects.toThrow('probably damaged or truncated');
});
