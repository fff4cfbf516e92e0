import { describe, expect, it } from 'vitest';
import { audioChunkCount } from '../../../src/chunking/plan/cut-audio.ts';
import { maxAudioChunks } from '../../../src/chunking/settings.ts';
import { someAudioChunks } from '../../builders/chunking/some-audio-chunks.ts';
import { anAudioStream } from '../../builders/media/a-probe.ts';

const tracksOf = (chunks: ReturnType<typeof someAudioChunks>) => chunks.flatMap(({ tracks: [track] }) => track ?? []);

describe('audio in chunks', () => {
  it('has every packet once, in chunks of about equal length', () => {
    const tracks = tracksOf(someAudioChunks());
    expect(tracks.map(({ firstPacket, endPacket }) => [firstPacket, endPacket])).toEqual([
      [0, 468],
      [468, 937],
      [937, undefined],
    ]);
  });

  it('decodes two seconds before and half a second behind the packets of a chunk', () => {
    const [first, second, third] = tracksOf(someAudioChunks()).map(({ source }) => source);
    const [leadIn, leadOut] = [94 * 1024, 24 * 1024];
    expect(first).toEqual({ start: undefined, end: 468 * 1024 + leadOut });
    expect(second).toEqual({ start: 468 * 1024 - leadIn, end: 937 * 1024 + leadOut });
    expect(third).toEqual({ start: 937 * 1024 - leadIn, end: undefined });
  });

  it('reads from half a second earlier: a decoder needs packets before its first sample', () => {
    const [first, second] = someAudioChunks();
    expect(first?.seekSeconds).toBeUndefined();
    expect(second?.seekSeconds).toBeCloseTo((468 - 94) * (1024 / 48_000) - 0.5, 6);
  });

  it('reads from the start where a seek would go before the first frame of the video', () => {
    const seeks = someAudioChunks({ videoSeconds: 9 }).map(({ seekSeconds }) => seekSeconds !== undefined);
    expect(seeks).toEqual([false, false, true]);
  });

  it('counts from the first sample of a late track, and from 0 if that is padded', () => {
    const late = [anAudioStream({ startSeconds: 1.5 })];
    expect(tracksOf(someAudioChunks({}, late))[1]?.startSample).toBe(72_000);
    expect(tracksOf(someAudioChunks({ isPadded: true }, late))[1]?.startSample).toBe(0);
  });

  it('starts a resampler at a sample that both rates share', () => {
    const disc = [anAudioStream({ sampleRateHz: 44_100 })];
    const tracks = tracksOf(someAudioChunks({ layout: { format: 'webm' } }, disc));
    for (const { sampleRateHz, firstPacket, packetSamples, source } of tracks.slice(1)) {
      expect(sampleRateHz).toBe(48_000);
      const seconds = (source.start ?? 0) / 44_100;
      expect(Number.isInteger(source.start)).toBe(true);
      expect(seconds * 48_000).toBeCloseTo((firstPacket - 100) * packetSamples, 6);
    }
  });

  it('cuts all tracks at about the same time, each between its own packets', () => {
    const streams = [anAudioStream(), anAudioStream({ index: 2, startSeconds: 0.5, sampleRateHz: 44_100 })];
    const [, second] = someAudioChunks({}, streams);
    const seconds = second?.tracks.map(
      ({ startSample, firstPacket, packetSamples, sampleRateHz }) =>
        (startSample + firstPacket * packetSamples) / sampleRateHz,
    );
    expect(seconds).toEqual([expect.closeTo(10.33, 1), expect.closeTo(10.33, 1)]);
  });

  it('is not cut into chunks that are mostly lead-in', () => {
    expect(someAudioChunks({ cuts: 5 })).toHaveLength(5);
    expect(someAudioChunks({ cuts: 6 })).toEqual([]);
  });
});

it('there are as many chunks as make none longer than a chunk of the video, within a bound', () => {
  expect(audioChunkCount(30, 60)).toBe(1);
  expect(audioChunkCount(130, 60)).toBe(3);
  expect(audioChunkCount(30, 2)).toBe(3);
  expect(audioChunkCount(1e6, 60)).toBe(maxAudioChunks);
});
