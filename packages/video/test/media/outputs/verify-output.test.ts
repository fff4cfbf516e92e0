import { describe, expect, it } from 'vitest';
import { type OutputExpectation, verifyOutput } from '../../../src/media/outputs/verify-output.ts';
import { anAudioStream, anImageProbe, aProbe, aSubtitleStream, aVideoStream } from '../../builders/media/a-probe.ts';

const planned: OutputExpectation = {
  durationSeconds: 2,
  video: { codec: 'h264', width: 320, height: 180 },
  audio: { codec: 'aac' },
};

describe('a finished file', () => {
  it.each([
    ['as planned', aProbe()],
    ['longer by the padding of an encoder', aProbe(undefined, { durationSeconds: 2.06 })],
  ])('passes when it is %s', (_name, probe) => expect(() => verifyOutput(probe, planned)).not.toThrow());

  it('passes as an image, which has no duration', () => {
    expect(() => verifyOutput(anImageProbe(), { video: { codec: 'png', width: 320, height: 180 } })).not.toThrow();
  });

  it('passes as a still image instead of an animation, but not as a shorter animation', () => {
    const animation = { durationSeconds: 3, mayBeStillImage: true, video: { codec: 'png', width: 320, height: 180 } };
    expect(() => verifyOutput(anImageProbe(), animation)).not.toThrow();
    expect(() => verifyOutput({ ...anImageProbe(), durationSeconds: 1 }, animation)).toThrow('lasts 1.00 s');
  });

  it.each([
    [
      aProbe(undefined, { durationSeconds: 0.65 }),
      'lasts 0.65 s; expected 2.00 s. The input is probably damaged or truncated',
    ],
    [aProbe(undefined, { durationSeconds: 3 }), 'lasts 3.00 s; expected 2.00 s'],
    [aProbe([anAudioStream()]), 'has no video stream; expected one'],
    [
      aProbe([aVideoStream()]),
      'has no audio; expected an audio stream. The audio track of the input is probably empty: the recipe mute leaves it out',
    ],
    [aProbe([aVideoStream({ codec: 'mpeg4' }), anAudioStream()]), 'has mpeg4 video; expected h264'],
    [aProbe([aVideoStream(), anAudioStream({ codec: 'mp3' })]), 'has mp3 audio; expected aac'],
    [aProbe([aVideoStream({ width: 180, height: 320 }), anAudioStream()]), 'is 180x320 pixels; expected 320x180'],
  ])('fails with the found and the expected value (%#)', (probe, problem) => {
    expect(() => verifyOutput(probe, planned)).toThrow(
      expect.objectContaining({ code: 'TRANSCODE_ERROR', message: `The finished file ${problem}`, retryable: false }),
    );
  });

  it.each([
    [{ durationSeconds: 2, audio: { codec: 'aac' } }, 'has a video stream; expected only audio'],
    [{ durationSeconds: 2, video: { codec: 'h264', width: 320, height: 180 } }, 'has audio; expected none'],
  ])('fails with an unplanned stream (%#)', (expectation, problem) => {
    expect(() => verifyOutput(aProbe(), expectation)).toThrow(`The finished file ${problem}`);
  });

  it('may differ by a hundredth if it is long', () => {
    const hour = { ...planned, durationSeconds: 3600 };
    expect(() => verifyOutput(aProbe(undefined, { durationSeconds: 3570 }), hour)).not.toThrow();
    expect(() => verifyOutput(aProbe(undefined, { durationSeconds: 3560 }), hour)).toThrow('lasts 3560.00 s');
  });
});

it('a finished file may last as long as its subtitles, but not shorter than its video', () => {
  const withCues = { ...planned, maxDurationSeconds: 9 };
  expect(() => verifyOutput(aProbe(undefined, { durationSeconds: 9.3 }), withCues)).not.toThrow();
  expect(() => verifyOutput(aProbe(undefined, { durationSeconds: 9.6 }), withCues)).toThrow('lasts 9.60 s');
  expect(() => verifyOutput(aProbe(undefined, { durationSeconds: 1.4 }), withCues)).toThrow('lasts 1.40 s');
});

describe('a finished subtitle file', () => {
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
    [file(), 'has no cue; expected at least one'],
    [file(10.6), "ends with a cue at 10.60 s; expected 10.00 s, the input's end"],
    [aProbe([aSubtitleStream({ codec: 'webvtt' })]), 'has webvtt; expected subrip'],
    [aProbe([]), 'has no subtitles; expected subrip'],
  ])('fails with the found and the expected value (%#)', (probe, problem) => {
    expect(() => verifyOutput(probe, { subtitles })).toThrow(`The finished file ${problem}`);
  });
});
