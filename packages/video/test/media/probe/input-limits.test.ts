import { describe, expect, it } from 'vitest';
import {
  type InputLimits,
  inputFaultWarnings,
  maxDecodedPixels,
  validateProbe,
  validateTotalDuration,
} from '../../../src/media/probe/input-limits.ts';
import { anAudioStream, anImageProbe, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const limits: InputLimits = {
  sizeBytes: 5_000_000_000,
  durationSeconds: 14_400,
  width: 8192,
  height: 8192,
  streams: 32,
  framesPerSecond: 300,
};

const manyStreams = Array.from({ length: 33 }, (_, index) => anAudioStream({ index }));
const { durationSeconds: _, ...unreadable } = aVideoStream({ width: 0, height: 0 });

describe('validateProbe', () => {
  it.each([
    ['a normal file', aProbe()],
    ['an audio file', aProbe([anAudioStream()])],
    [
      'a file at every limit',
      aProbe([aVideoStream({ width: 8192, height: 8192, framesPerSecond: 300 }), ...manyStreams.slice(0, 31)], {
        sizeBytes: 5_000_000_000,
        durationSeconds: 14_400,
      }),
    ],
  ])('accepts %s', (_name, probe) => expect(() => validateProbe(probe, limits)).not.toThrow());

  it.each([
    [aProbe([], {}), 'INPUT_NOT_MEDIA', 'The input has neither video nor audio'],
    [
      aProbe(undefined, { sizeBytes: 5_000_000_001 }),
      'INPUT_TOO_LARGE',
      'The input has 5000000001 bytes; the limit is 5000000000 bytes',
    ],
    [aProbe(undefined, { durationSeconds: 36_000 }), 'INPUT_TOO_LONG', 'The input lasts 36000 s; the limit is 14400 s'],
    [
      aProbe([aVideoStream({ width: 16_000, height: 16_000 })]),
      'INPUT_TOO_LARGE',
      'The video is 16000x16000 pixels; the limit is 8192x8192',
    ],
    [aProbe(manyStreams), 'INPUT_UNSUPPORTED', 'The input has 33 streams; the limit is 32'],
    [
      aProbe([aVideoStream({ framesPerSecond: 480_000 / 1001 })]),
      'INPUT_UNSUPPORTED',
      'The video has 479.52 frames per second; the limit is 300',
    ],
    [
      { ...anImageProbe(), durationSeconds: 2 },
      'INPUT_UNSUPPORTED',
      'The input is an animated WebP, which cannot be decoded. Send a GIF or a video',
    ],
    [aProbe(undefined, { misreading: 'A part would be lost' }), 'INPUT_UNSUPPORTED', 'A part would be lost'],
    [aProbe([unreadable]), 'INPUT_UNSUPPORTED', 'The size of video stream 0 of the input cannot be read'],
  ])('rejects with the value and the limit (%#)', (probe, code, message) => {
    expect(() => validateProbe(probe, limits)).toThrow(expect.objectContaining({ code, message, retryable: false }));
  });

  it('lets ffmpeg decode as many pixels as the limits allow, and at least 8192x8192', () => {
    expect(maxDecodedPixels({ width: 16_384, height: 16_384 })).toBe(16_384 ** 2);
    expect(maxDecodedPixels({ width: 640, height: 480 })).toBe(8192 ** 2);
  });
});

it('attachments count as no streams', () => {
  const fonts = Array.from({ length: 60 }, (_, index) => ({
    ...anAudioStream({ index }),
    kind: 'attachment' as const,
  }));
  expect(() => validateProbe(aProbe([aVideoStream(), ...fonts]), limits)).not.toThrow();
});

it('a recipe that only describes an input warns of every reason to reject it', () => {
  const probe = aProbe([aVideoStream({ framesPerSecond: 1000 }), ...manyStreams], { durationSeconds: 72_000 });
  const warning = (message: string) => ({
    code: 'INPUT_UNSUPPORTED',
    message: `Other recipes reject this input: ${message}`,
  });
  expect(inputFaultWarnings(probe, limits)).toEqual([
    warning('The input lasts 72000 s; the limit is 14400 s'),
    warning('The input has 34 streams; the limit is 32'),
    warning('The video has 1000 frames per second; the limit is 300'),
  ]);
  expect(inputFaultWarnings(aProbe(), limits)).toEqual([]);
});

describe('validateTotalDuration', () => {
  const hours = (count: number) => aProbe(undefined, { durationSeconds: count * 3600 });

  it('accepts inputs up to the limit together', () => {
    expect(() => validateTotalDuration([hours(1), hours(3)], limits)).not.toThrow();
  });

  it('rejects inputs that are longer together, with their total duration', () => {
    expect(() => validateTotalDuration([hours(2), hours(2), hours(1)], limits)).toThrow(
      expect.objectContaining({
        code: 'INPUT_TOO_LONG',
        message: 'The inputs last 18000 s together; the limit is 14400 s',
      }),
    );
  });
});
