import { describe, expect, it } from 'vitest';
import { buildLadder } from '../../../src/encoding/ladder/ladder.ts';
import type { Size } from '../../../src/media/frame-size.ts';
import { aVideoStream } from '../../builders/media/a-probe.ts';

const namesOf = (width: number, height: number, maxHeight = 1080) =>
  buildLadder(aVideoStream({ width, height }), maxHeight).map(({ name }) => name);

describe('the ladder of a video', () => {
  it.each([
    [1920, 1080, ['1080p', '720p', '480p', '360p', '240p']],
    [3840, 2160, ['1080p', '720p', '480p', '360p', '240p']],
    [1280, 720, ['720p', '480p', '360p', '240p']],
    [720, 576, ['576p', '360p', '240p']],
    [640, 480, ['480p', '360p', '240p']],
    [320, 180, ['180p']],
    [1080, 1920, ['1080p', '720p', '480p', '360p', '240p']],
  ])('of %i x %i pixels is %j', (width, height, names) => expect(namesOf(width, height)).toEqual(names));

  it('starts at the maximum size', () => {
    expect(namesOf(1920, 1080, 720)).toEqual(['720p', '480p', '360p', '240p']);
    expect(namesOf(3840, 2160, 2160)).toEqual(['2160p', '1440p', '1080p', '720p', '480p', '360p', '240p']);
    expect(namesOf(320, 180, 720)).toEqual(['180p']);
  });

  it('has at most seven sizes', () => {
    for (let side = 144; side <= 2160; side += 2) {
      expect(namesOf(4000, 4000, side).length).toBeLessThanOrEqual(7);
    }
  });

  it.each([
    [3840, 2160],
    [721, 721],
    [2159, 4000],
  ])('of %i x %i pixels is never above the maximum, which may be odd', (width, height) => {
    const shorterSide = ({ width: one, height: other }: Size) => Math.min(one, other);
    for (let side = 144; side <= 2160; side += 1) {
      const [largest] = buildLadder(aVideoStream({ width, height }), side);
      expect(shorterSide(largest)).toBeLessThanOrEqual(side);
      expect(shorterSide(largest)).toBeGreaterThan(Math.min(side, width, height) - 2);
    }
  });

  it('keeps the aspect ratio in even sizes', () => {
    expect(buildLadder(aVideoStream({ width: 1080, height: 1920 }), 720)).toMatchObject([
      { width: 720, height: 1280 },
      { width: 480, height: 854 },
      { width: 360, height: 640 },
      { width: 240, height: 426 },
    ]);
    expect(buildLadder(aVideoStream({ width: 641, height: 361 }), 1080)).toMatchObject([
      { width: 642, height: 362 },
      { width: 426, height: 240 },
    ]);
  });

  it('allows less bit rate for smaller sizes and more for high frame rates', () => {
    const [first, ...others] = buildLadder(aVideoStream({ width: 1920, height: 1080 }), 1080);
    expect(first.maxRateKbps).toBe(5000);
    expect(others.map(({ maxRateKbps }) => maxRateKbps)).toEqual([2722, 1482, 962, 523]);
    const [fast] = buildLadder(aVideoStream({ width: 1920, height: 1080, framesPerSecond: 60 }), 1080);
    expect(fast.maxRateKbps).toBe(7000);
  });
});
