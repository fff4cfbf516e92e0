import { describe, expect, it } from 'vitest';
import { evenSizeWithin, fitAround, fitInside, requireEncodableSize, roundToEven } from '../../src/media/frame-size.ts';

const hd = { width: 1920, height: 1080 };

describe('a frame size', () => {
  it.each([
    [1, 2],
    [0.1, 2],
    [180, 180],
    [181, 182],
    [180.9, 180],
  ])('of %d is even: %d', (length, expected) => expect(roundToEven(length)).toBe(expected));

  it.each([
    [{ width: 1280 }, { width: 1280, height: 720 }],
    [{ height: 540 }, { width: 960, height: 540 }],
    [
      { width: 1280, height: 100 },
      { width: 178, height: 100 },
    ],
    [{ width: 4000, height: 4000 }, hd],
    [{}, hd],
  ])('shrinks to fit %o', (bounds, expected) => expect(evenSizeWithin(hd, bounds)).toEqual(expected));

  it.each([hd, { width: 641, height: 361 }, { width: 361, height: 641 }])(
    'of %o is never above a maximum, which may be odd',
    (source) => {
      for (let side = 16; side <= 400; side += 1) {
        expect(evenSizeWithin(source, { width: side }).width).toBeLessThanOrEqual(side);
        expect(evenSizeWithin(source, { height: side }).height).toBeLessThanOrEqual(side);
      }
    },
  );

  it('of an odd source becomes even upwards, up to a maximum', () => {
    const odd = { width: 641, height: 361 };
    expect(evenSizeWithin(odd, {})).toEqual({ width: 642, height: 362 });
    expect(evenSizeWithin(odd, { width: 642 })).toEqual({ width: 642, height: 362 });
    expect(evenSizeWithin(odd, { width: 641 })).toEqual({ width: 640, height: 360 });
  });

  it('grows to fit inside', () => {
    expect(fitInside(hd, { width: 3840, height: 3840 })).toEqual({ width: 3840, height: 2160 });
  });

  it('covers both bounds', () => {
    expect(fitAround(hd, { width: 540, height: 540 })).toEqual({ width: 960, height: 540 });
  });

  it('above the encoder limit is rejected', () => {
    expect(requireEncodableSize({ width: 8192, height: 8192 })).toEqual({ width: 8192, height: 8192 });
    expect(() => requireEncodableSize({ width: 1280, height: 10_000 })).toThrow(
      expect.objectContaining({
        code: 'INPUT_UNSUPPORTED',
        message: 'The output would be 1280x10000 pixels; the limit is 8192x8192',
      }),
    );
  });
});
