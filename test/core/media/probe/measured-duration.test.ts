import { describe, expect, it } from 'vitest';
import {
  needsMeasuredDuration,
  withDiscontinuities,
  withMeasuredDuration,
  withMeasuredEnds,
} from '../../../../core/media/probe/measured-duration.ts';
import { anAudioStream, anImageProbe, aProbe, aVideoStream } from '../../../builders/media/a-probe.ts';

describe('a duration that must be measured', () => {
  const { durationSeconds: _, ...unknown } = aProbe();

  it.each([
    ['one that is missing', unknown, '', true],
    [
      'one that was estimated',
      aProbe(),
      '[warning] Estimating duration from bitrate, this may be inaccurate',
      true,
    ],
    ['one that the file declares', aProbe(), '[warning] something else', false],
    ['that of a still image', anImageProbe(), '', false],
    ['that of a file without video and audio', { ...unknown, streams: [] }, '', false],
  ])('is %s', (_name, probe, log, expected) => {
    expect(needsMeasuredDuration(probe, log)).toBe(expected);
  });

  it('replaces the durations of the streams too', () => {
    const measured = withMeasuredDuration(aProbe([aVideoStream({ durationSeconds: 99 })]), 7);
    expect(measured.durationSeconds).toBe(7);
    expect(measured.streams[0]).not.toHaveProperty('durationSeconds');
  });

  it('is that of the stream that ends last, beside that of the main video', () => {
    const probe = aProbe([aVideoStream({ startSeconds: 1, durationSeconds: 99 }), anAudioStream()]);
    const measured = withMeasuredEnds(probe, { video: 5, audio: 9 });
    expect(measured).toMatchObject({ durationSeconds: 9, streams: [{ durationSeconds: 4 }, {}] });
    expect(measured.streams[1]).not.toHaveProperty('durationSeconds');
  });
});

describe('a duration of timestamps that may start again', () => {
  const probe = aProbe([aVideoStream({ durationSeconds: 7 }), anAudioStream()], { durationSeconds: 7 });

  it('is the stated one if the measured one is as long', () => {
    expect(withDiscontinuities(probe, { video: 7.2, audio: 5 })).toBe(probe);
  });

  it('is the measured one otherwise, with that of the main video', () => {
    const measured = withDiscontinuities(probe, { video: 16, audio: 21 });
    expect(measured).toMatchObject({ durationSeconds: 21, hasDiscontinuities: true });
    expect(measured.streams[0]?.durationSeconds).toBe(16);
  });
});
