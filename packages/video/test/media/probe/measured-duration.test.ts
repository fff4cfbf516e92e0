import { describe, expect, it } from 'vitest';
import {
  lacksStreamEnds,
  needsMeasuredDuration,
  withDiscontinuities,
  withMeasuredDuration,
  withMeasuredEnds,
  withStreamEnds,
  withTaggedEnds,
} from '../../../src/media/probe/measured-duration.ts';
import { anAudioStream, anImageProbe, aProbe, aSubtitleStream, aVideoStream } from '../../builders/media/a-probe.ts';

describe('a duration that must be measured', () => {
  const { durationSeconds: _, ...unknown } = aProbe();

  it.each([
    ['one that is missing', unknown, '', true],
    ['one that was estimated', aProbe(), '[warning] Estimating duration from bitrate, this may be inaccurate', true],
    ['one that the file declares', aProbe(), '[warning] something else', false],
    ['that of a still image', anImageProbe(), '', false],
    ['that of a file without video and audio', { ...unknown, streams: [] }, '', false],
  ])('is %s', (_name, probe, log, expected) => expect(needsMeasuredDuration(probe, log)).toBe(expected));

  it('replaces the durations of the streams too', () => {
    const measured = withMeasuredDuration(aProbe([aVideoStream({ durationSeconds: 99 })]), 7);
    expect(measured.durationSeconds).toBe(7);
    expect(measured.streams[0]).not.toHaveProperty('durationSeconds');
  });

  it('is that of the stream that ends last, beside those of the measured streams', () => {
    const streams = [aVideoStream({ startSeconds: 1, durationSeconds: 99 }), anAudioStream({ index: 1 })];
    const other = anAudioStream({ index: 2, durationSeconds: 99 });
    const measured = withMeasuredEnds(aProbe([...streams, other]), endsOf(5, 9));
    expect(measured.durationSeconds).toBe(9);
    expect(measured.streams.map(({ durationSeconds }) => durationSeconds)).toEqual([4, 9, undefined]);
  });
});

it('a measured duration counts no subtitles, which may be shown at any time', () => {
  const streams = [aVideoStream(), anAudioStream({ index: 1 }), aSubtitleStream({ index: 2 })];
  expect(withMeasuredEnds(aProbe(streams), endsOf(60, 59, 7200)).durationSeconds).toBe(60);
});

describe('a duration of timestamps that may start again', () => {
  const streams = [aVideoStream({ durationSeconds: 7 }), anAudioStream({ index: 1 })];
  const probe = aProbe(streams, { durationSeconds: 7 });

  it('is the stated one if the measured one is as long', () => {
    expect(withDiscontinuities(probe, endsOf(7.2, 5))).toBe(probe);
  });

  it('is the measured one otherwise, with those of the streams', () => {
    const measured = withDiscontinuities(probe, endsOf(16, 21));
    expect(measured).toMatchObject({ durationSeconds: 21, hasDiscontinuities: true });
    expect(measured.streams.map(({ durationSeconds }) => durationSeconds)).toEqual([16, 21]);
  });
});

describe('the ends of the streams', () => {
  const unstated = { durationSeconds: undefined };
  const [video, audio] = [aVideoStream(unstated), anAudioStream({ index: 1, ...unstated })];

  it.each([
    ['one with two streams that do not state them', aProbe([video, audio]), true],
    ['one in which the audio does not', aProbe([aVideoStream({ durationSeconds: 7 }), audio]), true],
    ['one that states them', aProbe([7, 9].map((durationSeconds) => aVideoStream({ durationSeconds }))), false],
    ['one with a single stream, which ends with the file', aProbe([video]), false],
    ['MPEG-TS, where ffprobe finds them', aProbe([video, audio], { container: 'mpegts' }), false],
  ])('are measured in a file, or not: %s', (_, probe, expected) => expect(lacksStreamEnds(probe)).toBe(expected));

  it('leave the stated duration of the file', () => {
    const probe = withStreamEnds(aProbe([video, audio], { durationSeconds: 8.1 }), endsOf(2, 8));
    expect(probe).toMatchObject({ durationSeconds: 8.1, streams: [{ durationSeconds: 2 }, { durationSeconds: 8 }] });
  });

  it('say that a track has no packets', () => {
    const probe = withStreamEnds(aProbe([video, audio], { durationSeconds: 8 }), endsOf(8, 0));
    expect(probe.streams[1]).toMatchObject({ isEmpty: true });
  });

  it.each([
    ['counts subtitles, as Matroska does', 610],
    ['counts only video and audio', 600],
  ])('are found beside a longer subtitle track if the duration of the file %s', (_, durationSeconds) => {
    const subtitles = aSubtitleStream({ index: 2, ...unstated });
    const probe = withStreamEnds(aProbe([video, audio, subtitles], { durationSeconds }), endsOf(600, 599, 610));
    expect(probe.streams.map((stream) => stream.durationSeconds)).toEqual([600, 599, 610]);
  });

  it.each([
    ['not those of a truncated file', [2, 4], false, 8],
    ['those of a whole file whose duration is too long', [2, 4], true, 4],
    ['those of a file whose duration is too short', [20, 40], false, 40],
  ])('are %s', (_, ends, isWhole, expected) => {
    const probe = aProbe([video, audio], { durationSeconds: 8 });
    expect(withStreamEnds(probe, endsOf(...ends), { isWhole }).durationSeconds).toBe(expected);
  });

  it.each([
    ['matroska,webm', 3, 12],
    ['matroska,webm', 60, 12],
    ['matroska,webm', 12.1, 12.1],
    ['mov,mp4,m4a,3gp,3g2,mj2', 60, 60],
  ])('count where tags state them: %s with %d s', (container, durationSeconds, expected) => {
    const streams = [aVideoStream({ durationSeconds: 12 }), anAudioStream({ index: 1, durationSeconds: 11 })];
    expect(withTaggedEnds(aProbe(streams, { container, durationSeconds })).durationSeconds).toBe(expected);
  });
});

function endsOf(...seconds: number[]): ReadonlyMap<number, number> {
  return new Map(seconds.entries());
}
