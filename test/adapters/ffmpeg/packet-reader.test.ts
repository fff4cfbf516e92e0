import { expect, it } from 'vitest';
import { packetReader } from '../../../adapters/ffmpeg/packet-reader.ts';
import { programs } from '../../builders/bare-ffmpeg.ts';
import { chunkSource } from '../../builders/chunk-sources.ts';
import { clipWith } from '../../builders/clips.ts';
import { aCountingListener } from '../../builders/counting-listener.ts';
import { aDirectory } from '../../builders/encode.ts';
import { playlistOf, written } from '../../builders/hostile-files.ts';
import { frameTimes } from '../../builders/judge-media.ts';

const reader = packetReader(programs);
const from = { stream: 0, fileSeconds: 0 };
const patiently = { signal: new AbortController().signal, timeLimitSeconds: 60 };

it.each(['variableRate', 'editList', 'film'] as const)('knows of %s what a decoder shows', async (kind) => {
  const path = await chunkSource(kind);
  const { times, timeBase, beginning } = await reader.pictures(path, from, patiently);
  const seconds = [...times].map((time) => (time * timeBase.numerator) / timeBase.denominator);
  const decoded = (await frameTimes(path)).map((time) => time - beginning.containerSeconds);
  expect(seconds).toHaveLength(decoded.length);
  for (const [index, time] of seconds.entries()) expect(time).toBeCloseTo(decoded[index] ?? Number.NaN, 5);
});

it('finds the keyframes', async () => {
  const { entries } = await reader.pictures(await chunkSource('openGop'), from, patiently);
  expect(entries.map(({ picture }) => picture)).toEqual([0, 48, 96, 144, 192, 240, 288, 336]);
});

it('measures the sound, with what its encoder puts before it', async () => {
  const span = await reader.sound(await clipWith(), patiently);
  expect(span.startSeconds).toBeCloseTo(-1024 / 48_000, 6);
  expect(span.endSeconds).toBeCloseTo(2, 1);
});

it('reads no playlist in disguise', async () => {
  const { url, connections } = await aCountingListener();
  const path = await written(await aDirectory(), 'input.mp4', playlistOf(url));
  const reading = reader.pictures(path, from, patiently);
  await expect(reading).rejects.toMatchObject({
    code: expect.stringMatching(/^INPUT_(FORBIDDEN|NOT_MEDIA)$/),
  });
  expect(connections()).toBe(0);
});

it('blames itself for a file of its own that cannot be read', async () => {
  const path = await written(await aDirectory(), 'chunk.mp4', 'nothing');
  const reading = reader.pictures(path, from, { ...patiently, of: 'output' });
  await expect(reading).rejects.toMatchObject({ code: 'TRANSCODE_ERROR' });
});

it('stops when it is told to', async () => {
  const reading = reader.pictures(await clipWith(), from, {
    ...patiently,
    signal: AbortSignal.abort('enough'),
  });
  await expect(reading).rejects.toBe('enough');
});

it('ends by its time limit', async () => {
  const reading = reader.pictures(await clipWith(), from, { ...patiently, timeLimitSeconds: 0 });
  await expect(reading).rejects.toMatchObject({ code: 'TIMEOUT' });
});
