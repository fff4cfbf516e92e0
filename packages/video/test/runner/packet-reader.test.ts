import { aCountingListener } from '@media-jobs/testing/counting-listener';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { packetReader } from '../../src/runner/packet-reader.ts';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { frameTimes } from '../builders/measure/measure-video.ts';
import { ffmpegPrograms } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';
import { playlistOf, writeTestFile } from '../builders/media/hostile-files.ts';

const reader = packetReader(ffmpegPrograms);
const from = { stream: 0, fileSeconds: 0 };
const patiently = { signal: new AbortController().signal, timeLimitSeconds: 60 };

it.each(['variableRate', 'editList', 'cinema'] as const)(
  'a frame index of %s contains the frames that a decoder shows',
  async (kind) => {
    const path = await chunkSource(kind);
    const { pts, timeBase, timelineOrigin } = await reader.readFrameIndex(path, from, patiently);
    const seconds = [...pts].map((time) => (time * timeBase.numerator) / timeBase.denominator);
    const decoded = (await frameTimes(path)).map((time) => time - timelineOrigin.containerSeconds);
    expect(seconds).toHaveLength(decoded.length);
    for (const [index, time] of seconds.entries()) expect(time).toBeCloseTo(decoded[index] ?? Number.NaN, 5);
  },
);

it('a frame index contains the keyframes', async () => {
  const { keyframes } = await reader.readFrameIndex(await chunkSource('openGop'), from, patiently);
  expect(keyframes.map(({ frame }) => frame)).toEqual([0, 48, 96, 144, 192, 240, 288, 336]);
});

it('the audio range includes the encoder delay', async () => {
  const span = await reader.readAudioRange(await clipWith(), patiently);
  expect(span.startSeconds).toBeCloseTo(-1024 / 48_000, 6);
  expect(span.endSeconds).toBeCloseTo(2, 1);
});

it('a disguised playlist is not read', async () => {
  const { url, connections } = await aCountingListener();
  const path = await writeTestFile(await aTemporaryFolder(), 'input.mp4', playlistOf(url));
  const reading = reader.readFrameIndex(path, from, patiently);
  await expect(reading).rejects.toMatchObject({ code: expect.stringMatching(/^INPUT_(FORBIDDEN|NOT_MEDIA)$/) });
  expect(connections()).toBe(0);
});

it('an unreadable output is a TRANSCODE_ERROR', async () => {
  const path = await writeTestFile(await aTemporaryFolder(), 'chunk.mp4', 'nothing');
  const reading = reader.readFrameIndex(path, from, { ...patiently, role: 'output' });
  await expect(reading).rejects.toMatchObject({ code: 'TRANSCODE_ERROR' });
});

it('reading stops when its signal aborts', async () => {
  const reading = reader.readFrameIndex(await clipWith(), from, { ...patiently, signal: AbortSignal.abort('enough') });
  await expect(reading).rejects.toBe('enough');
});

it('reading stops at its time limit', async () => {
  const reading = reader.readFrameIndex(await clipWith(), from, { ...patiently, timeLimitSeconds: 0 });
  await expect(reading).rejects.toMatchObject({ code: 'TIMEOUT' });
});
