import { describe, expect, it } from 'vitest';
import { encodeSeconds } from '../../src/cost-model/encode-cost.ts';

describe('the processor seconds of an encode', () => {
  const line = {
    start: { seconds: 0.1, perFrameMegapixel: 0.2 },
    perMegapixel: 0.04,
    perMegabit: 0.1,
    frameRateExponent: -0.5,
  };
  const frames = { megapixels: 100, frameMegapixels: 1, framesPerSecond: 25, bitsPerPixel: 0.1 };

  it('are its start, its first frame, and all pixels and bits, by the effort', () => {
    expect(encodeSeconds(line, frames)).toBeCloseTo(0.1 + 0.2 + 4 + 1, 9);
    expect(encodeSeconds(line, frames, 2)).toBeCloseTo(0.1 + 2 * (0.2 + 4 + 1), 9);
  });

  it('halve with each so many steps of the CRF', () => {
    const coarser = encodeSeconds({ ...line, crfToHalveTime: 50 }, { ...frames, crfSteps: 50 });
    expect(coarser).toBeCloseTo(0.3 + 5 / 2, 9);
  });

  it.each([
    [100, 2],
    [120, Math.sqrt(4.8)],
    [1000, Math.sqrt(4.8)],
    [5, 1],
  ])('follow a frame rate above 25, up to 120: %i', (framesPerSecond, divisor) => {
    expect(encodeSeconds(line, { ...frames, framesPerSecond })).toBeCloseTo(0.3 + 5 / divisor, 9);
  });
});
