import { describe, expect, it } from 'vitest';
import { type OutputExpectation, verifyOutput } from '../../../../core/media/outputs/verify-output.ts';
import {
  anAudioStream,
  anImageProbe,
  aProbe,
  aSubtitleStream,
  aVideoStream,
} from '../../../builders/media/a-probe.ts';

const planned: OutputExpectation = {
  durationSeconds: 2,
  video: { codec: 'h264', width: 320, height: 180 },
  audio: { codec: 'aac' },
};

describe('a finished file', () => {
  it.each([
    ['just as planned', aProbe()],
    ['longer by what an encoder pads', aProbe(undefined, { durationSeconds: 2.06 })],
  ])('passes when it is %s', (_name, probe) => {
    expect(() => verifyOutput(probe, planned)).not.toThrow();
  });

  it('passes as a picture, which has no duration', () => {
    expect(() =>
      verifyOutput(anImageProbe(), { video: { codec: 'png', width: 320, height: 180 } }),
    ).not.toThrow();
  });

  it('passes as a still picture in place of an animation in which nothing moves, and as no shorter one', () => {
    const animation = {
      durationSeconds: 3,
      mayBeStillImage: true,
      video: { codec: 'png', width: 320, height: 180 },
    };
    expect(() => verifyOutput(anImageProbe(), animation)).not.toThrow();
    expect(() => verifyOutput({ ...anImageProbe(), durationSeconds: 1 }, animation)).toThrow('lasts 1.00 s');
  });

  it.each([
    [
      aProbe(undefined, { durationSeconds: 0.65 }),
      'lasts 0.65 s; planned was 2.00 s; the input is probably damaged or cut short',
    ],
    [aProbe(undefined, { durationSeconds: 3 }), 'lasts 3.00 s; planned was 2.00 s'],
    [aProbe([anAudioStream()]), 'has no picture; planned was one'],
    [aProbe([aVideoStream()]), 'has no sound; planned was some'],
    [aProbe([aVideoStream({ codec: 'mpeg4' }), anAudioStream()]), 'holds mpeg4; planned was h264'],
    [aProbe([aVideoStream(), anAudioStream({ codec: 'mp3' })]), 'holds mp3 sound; planned was aac'],
    [
      aProbe([aVideoStream({ width: 180, height: 320 }), anAudioStream()]),
      'is 180x320 pixels; planned was 320x180',
    ],
  ])('fails with what was found and planned (%#)', (probe, words) => {
    expect(() => verifyOutput(probe, planned)).toThrow(
      expect.objectContaining({
        code: 'TRANSCODE_ERROR',
        message: `The finished file ${words}`,
        retryable: false,
      }),
    );
  });

  it.each([
    [{ durationSeconds: 2, audio: { codec: 'aac' } }, 'has a picture; planned was sound alone'],
    [
      { durationSeconds: 2, video: { codec: 'h264', width: 320, height: 180 } },
      'has sound; planned was none',
    ],
  ])('fails with a stream that nobody planned (%#)', (expectation, words) => {
    expect(() => verifyOutput(aProbe(), expectation)).toThrow(`The finished file ${words}`);
  });

  it('may differ by a hundredth when it is long', () => {
    const hour = { ...planned, durationSeconds: 3600 };
    expect(() => verifyOutput(aProbe(undefined, { durationSeconds: 3570 }), hour)).not.toThrow();
    expect(() => verifyOutput(aProbe(undefined, { durationSeconds: 3560 }), hour)).toThrow('lasts 3560.00 s');
  });
});

describe('a finished file of subtitles', () => {
  const subtitles = { codec: 'subrip', latestEndSeconds: 10 };
  const file = (durationSeconds?: number) => {
    const { durationSeconds: _, ...probe } = aProbe([aSubtitleStream({ index: 0 })], { container: 'srt' });
    return durationSeconds === undefined ? probe : { ...probe, durationSeconds };
  };

  it('passes with cues up to the end of the input', () => {
    expect(() => verifyOutput(file(10.4), { subtitles })).not.toThrow();
    expect(() => verifyOutput(file(99), { subtitles: { codec: 'subrip' } })).not.toThrow();
  });

  it.each([
    [file(), 'has no cue; planned was one at least'],
    [file(10.6), "ends with a cue at 10.60 s; planned was 10.00 s, the input's end"],
    [aProbe([aSubtitleStream({ codec: 'webvtt' })]), 'holds webvtt; planned was subrip'],
    [aProbe([]), 'holds no subtitles; planned was subrip'],
  ])('fails with what was found and planned (%#)', (probe, words) => {
    expect(() => verifyOutput(probe, { subtitles })).toThrow(`The finished file ${words}`);
  });
});
