// @module-tag nightly
// @module-tag sources
// @module-tag timing
import { expect, it } from 'vitest';
import { loudnessAt } from '../builders/measure/measure-video.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const pattern = ['-f', 'lavfi', '-i', 'testsrc2=size=720x576:rate=25:duration=2'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=2'];

it.each([
  ['in.mxf', [...pattern, ...tone, '-c:v', 'mpeg2video', '-q:v', '4', '-c:a', 'pcm_s16le', '-ar', '48000']],
  ['in.dv', [...pattern, ...tone, '-target', 'pal-dv']],
])('%s, as from cameras and editors, is a video', async (name, args) => {
  const output = await encodeOne(await generatedFile(name, args), 'mp4', { name: 'transcode', preset: 'ultrafast' });
  expect(output.probe.streams.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  expect(output.probe.durationSeconds).toBeCloseTo(2, 0);
  expect(await loudnessAt(output.path, 440)).toBeGreaterThan(-30);
});

it.each([
  ['in.aiff', ['-c:a', 'pcm_s16be']],
  ['in.ac3', ['-c:a', 'ac3']],
  ['in.eac3', ['-c:a', 'eac3']],
])('%s is audio', async (name, codec) => {
  const source = await generatedFile(name, [...tone, ...codec]);
  const output = await encodeOne(source, 'm4a', { name: 'extract-audio' });
  expect(output.probe.durationSeconds).toBeCloseTo(2, 0);
  expect(await loudnessAt(output.path, 440)).toBeGreaterThan(-30);
});
