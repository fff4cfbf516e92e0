import { expect, it } from 'vitest';
import {
  decodeFrameTimes,
  encodeFrameTimes,
  storedFrameTimesSchema,
} from '../../../src/chunking/frame-index/frame-index.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';

it('two hours of frame times at a constant rate take less than 100 bytes', () => {
  const { timeBase, pts } = aFrameIndex({ frames: 180_000 });
  const text = JSON.stringify(encodeFrameTimes({ timeBase, pts }));
  expect(text.length).toBeLessThan(100);
  expect(decodeFrameTimes(storedFrameTimesSchema.parse(JSON.parse(text)))).toEqual({ timeBase, pts });
});

it('irregular frame times survive a round trip', () => {
  const pts = Float64Array.from([21, 63, 104, 146, 188, 900, 901]);
  const { timeBase } = aFrameIndex();
  expect(decodeFrameTimes(encodeFrameTimes({ timeBase, pts })).pts).toEqual(pts);
});
