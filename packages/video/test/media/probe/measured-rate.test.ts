import { describe, expect, it } from 'vitest';
import { readPacketTimes, withMeasuredRate } from '../../../src/media/probe/measured-rate.ts';
import { videoOfMeasuredRate } from '../../../src/media/probe/stated-properties.ts';
import { aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

const steady = (fps: number, { roundedTo = 1 / 90_000, count = 80 } = {}) =>
  Array.from({ length: count }, (_, frame) => Math.round(frame / fps / roundedTo) * roundedTo);

const rated = (framesPerSecond: number, baseFramesPerSecond = framesPerSecond) =>
  aVideoStream({ framesPerSecond, baseFramesPerSecond });

const broadcast = { container: 'mpegts' };

describe('the frame rate of a stream', () => {
  it.each([
    ['a time scale of the codec that is too high', 600, 30, 30, 30],
    ['one that is too low', 15, 30, 30, 30],
    ['both rates of ffprobe false', 1000, 1000, 50, 50],
    ['the rate of NTSC', 1000, 1000, 30_000 / 1001, 30_000 / 1001],
    ['its double', 240, 240, 60_000 / 1001, 60_000 / 1001],
    ['a rate that is no common one', 90, 90, 12.5, 12.5],
    ['a true base rate near a whole one', 600, 14.9, 14.9, 14.9],
    ['a high rate, whose times are rounded by much of a frame', 1000, 1000, 120, 120],
  ])('is that of its packets: %s', (_, framesPerSecond, base, fps, expected) => {
    for (const roundedTo of [1 / 90_000, 0.001]) {
      const found = withMeasuredRate(rated(framesPerSecond, base), steady(fps, { roundedTo }), broadcast);
      expect(found.framesPerSecond).toBeCloseTo(expected, 6);
      expect(found.baseFramesPerSecond).toBe(found.framesPerSecond);
      expect(found.misstatesRate).toBe(true);
    }
  });

  it.each([
    ['a true one', rated(30), steady(30)],
    ['a film with repeated fields, whose rate is that of its fields', rated(30_000 / 1001), steady(24_000 / 1001)],
    ['frames dropped by a camera', rated(30), steady(30).filter((_, frame) => frame % 5 !== 0)],
    ['a still start of a screen recording', rated(12, 30), [0, 5, 5.033, 5.067, 9]],
    ['frames that come together, each time after a pause', rated(12, 30), [0, 0.033, 0.067, 0.1, 5]],
    ['a single frame', rated(600), [0]],
    ['no times', rated(600), []],
    ['equal times', rated(600), [1, 1, 1]],
  ])('stays as stated: %s', (_, video, times) => expect(withMeasuredRate(video, times, broadcast)).toEqual(video));

  it('has its average as the base in MPEG-PS, where ffprobe may report that of fields', () => {
    expect(withMeasuredRate(rated(25, 50), steady(25), { container: 'mpeg' })).toMatchObject(rated(25));
    expect(withMeasuredRate(rated(25, 50), steady(25), { container: 'flv' })).toEqual(rated(25, 50));
  });

  it('does not count a jump of the clock', () => {
    const times = [...steady(30, { count: 40 }), ...steady(30, { count: 40 }).map((time) => time + 60)];
    const found = withMeasuredRate(rated(1000), times, broadcast);
    expect(found.framesPerSecond).toBeCloseTo(30, 6);
    expect(found.misstatesRate).toBe(true);
  });

  it('is an average, if the distances of frames differ', () => {
    const found = withMeasuredRate(rated(1000), [0, 0.03, 0.1, 0.14, 0.2], broadcast);
    expect(found).toMatchObject({ framesPerSecond: 20, baseFramesPerSecond: 1000 });
    expect(found.misstatesRate).toBe(true);
  });

  it('is not raised in Matroska, and stays an average there, since its rate may change later', () => {
    const matroska = { container: 'matroska,webm' };
    expect(withMeasuredRate(rated(12), steady(30), matroska)).toEqual(rated(12));
    const found = withMeasuredRate(rated(500, 30), steady(30, { roundedTo: 0.001 }), matroska);
    expect(found.framesPerSecond).toBeCloseTo(30, 2);
    expect(found.framesPerSecond).not.toBe(30);
  });
});

describe('the times of packets', () => {
  it('are in order, without those that packets beyond the read ones may belong between', () => {
    const line = (frame: number) => `${frame / 10},${frame / 10}`;
    const all = Array.from({ length: 96 }, (_, frame) => line(frame));
    expect(readPacketTimes(['0.2,0.0', '0.0,0.1', '0.1,0.2', ''].join('\n'))).toEqual([0, 0.1, 0.2]);
    expect(readPacketTimes(all.join('\n'))).toHaveLength(80);
  });

  it('are those of decoding, if a container has no others', () => {
    expect(readPacketTimes('N/A,0.0\n0.1,0.1\n')).toEqual([0, 0.1]);
    expect(readPacketTimes('N/A,N/A\n')).toEqual([]);
  });

  it('are at equal distances between the known ones', () => {
    expect(readPacketTimes('0,0\nN/A,N/A\nN/A,N/A\n3,3\nN/A,N/A\n')).toEqual([0, 1, 2, 3]);
  });
});

it.each([
  ['MP4, which states durations', 'mov,mp4,m4a,3gp,3g2,mj2', {}, false],
  ['MPEG-TS', 'mpegts', {}, true],
  ['FLV', 'flv', {}, true],
  ['fields', 'mpegts', { isInterlaced: true }, false],
  ['what may be fields', 'mpegts', { hasUnknownFieldOrder: true as const }, false],
])('packets show the rate of %s: %s', (_, container, differences, expected) => {
  const video = aVideoStream(differences);
  expect(videoOfMeasuredRate({ ...aProbe([video]), container }) !== undefined).toBe(expected);
});
