// @module-tag sources
// @module-tag timing
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { decodeFrameAt } from '../builders/measure/frame-at.ts';
import { audioSeconds } from '../builders/measure/measure-video.ts';
import { cachedFile } from '../builders/media/cached-file.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

const recordingSeconds = 40;

/** Two recordings one behind the other, each with timestamps from its own start: the first is red, the second blue. */
function twoRecordings(extension: string, output: readonly string[]): Promise<string> {
  return cachedFile({ name: `two-recordings.${extension}`, recipe: output }, async (path) => {
    const parts = ['red', 'blue'].map(async (color) => {
      const source = `color=${color}:size=64x64:rate=25:duration=${recordingSeconds}`;
      const tone = `sine=duration=${recordingSeconds}:sample_rate=48000`;
      const inputs = ['-f', 'lavfi', '-i', source, '-f', 'lavfi', '-i', tone];
      return readFile(await generatedFile(`${color}.${extension}`, [...inputs, '-b:v', '400k', ...output]));
    });
    await writeFile(path, Buffer.concat(await Promise.all(parts)));
  });
}

const transportStream = () => twoRecordings('ts', ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-muxrate', '2M']);

describe('two recordings one behind the other', () => {
  it.each([
    ['MPEG-TS', transportStream],
    ['MPEG-PS', () => twoRecordings('vob', ['-c:v', 'mpeg2video', '-c:a', 'mp2'])],
    ['MPEG-1', () => twoRecordings('mpg', ['-c:v', 'mpeg1video', '-c:a', 'mp2'])],
  ])('are encoded to the end from %s', async (_, source) => {
    const { probe, path } = await encodeOne(await source(), 'mp4', { name: 'compress', preset: 'ultrafast' });
    expect(probe.durationSeconds).toBeCloseTo(2 * recordingSeconds, 0);
    const [red = 0, , blue = 0] = (await decodeFrameAt(path, 60)).colour(32, 32);
    expect(blue - red).toBeGreaterThan(150);
  });

  it('are cut where the viewer sees the start', async () => {
    const { path } = await encodeOne(await transportStream(), 'mp4', { name: 'clip', start: 39, end: 41 });
    const [before, after] = [await decodeFrameAt(path, 0.5), await decodeFrameAt(path, 1.5)];
    expect(before.colour(32, 32)[0]).toBeGreaterThan(150);
    expect(after.colour(32, 32)[2]).toBeGreaterThan(150);
  });

  it('show a frame of the second', async () => {
    const { path } = await encodeOne(await transportStream(), 'png', { name: 'thumbnail', at: 75 });
    expect((await decodeFrameAt(path, 0)).colour(32, 32)[2]).toBeGreaterThan(150);
  });

  it('are one track if they are chained Ogg, as internet radio sends it', async () => {
    const radio = await cachedFile({ name: 'radio.ogg', recipe: 'two qualities' }, async (path) => {
      const programmes = [3, 5].map(async (quality) => {
        const tone = ['-f', 'lavfi', '-i', 'sine=duration=3:sample_rate=48000'];
        const encoding = ['-c:a', 'libvorbis', '-q:a', String(quality)];
        return readFile(await generatedFile(`programme-${quality}.ogg`, [...tone, ...encoding]));
      });
      await writeFile(path, Buffer.concat(await Promise.all(programmes)));
    });
    const { path } = await encodeOne(radio, 'm4a', { name: 'extract-audio' });
    expect(await audioSeconds(path)).toBeCloseTo(6, 1);
  });
});

it.each(['ts', 'vob', 'm2ts'])('a %s of one recording keeps its stated duration', async (extension) => {
  const source = await generatedFile(`one-recording.${extension}`, [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=20,fade=in:st=4:d=1'],
    ...['-c:v', 'mpeg2video', '-q:v', '3'],
  ]);
  const probe = await anEncoder().probe(source);
  expect(probe.hasDiscontinuities).toBeUndefined();
  expect(probe.streams[0]?.durationSeconds).toBeCloseTo(20, 1);
});
