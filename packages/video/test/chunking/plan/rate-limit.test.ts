import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitChunks, losesRate } from '../../../src/chunking/plan/rate-target.ts';
import { isLadderEncoding } from '../../../src/encoding/encoding.ts';
import { rateBuffer } from '../../../src/media/codecs/encoder-arguments.ts';
import { type CodedFrame, lowestShare } from '../../builders/measure/decoder-buffer.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

const framesPerSecond = 25;
const kbps = 1000;
const limited = aVideoEncoding({ quality: { crf: 23, maxKbps: kbps } });

function limitOf(durations: readonly number[]) {
  const chunks = durations.map((durationSeconds) => ({ durationSeconds }));
  const encoding = limitChunks(limited, chunks);
  const quality = isLadderEncoding(encoding) ? undefined : encoding.quality;
  if (quality === undefined || !('crf' in quality) || quality.maxKbps === undefined || !quality.buffer)
    throw new TypeError('The chunks have no limit');
  return { kbps: quality.maxKbps, ...quality.buffer };
}

/** The frames of an encoder that spends these shares of its buffer, one for each frame. */
function framesOf(seconds: number, shares: readonly number[], limit: ReturnType<typeof limitOf>): number[] {
  let content = limit.initialShare * limit.kilobits;
  return Array.from({ length: seconds * framesPerSecond }, (_, frame) => {
    const kilobits = content * (shares[frame % shares.length] ?? 0);
    content = Math.min(limit.kilobits, content - kilobits + limit.kbps / framesPerSecond);
    return kilobits;
  });
}

describe('a maximum bit rate in chunks', () => {
  const chunk = fc.record({
    seconds: fc.integer({ min: 5, max: 30 }),
    shares: fc.array(fc.constantFrom(0, 0.01, 0.1, 0.5, 1), { minLength: 1, maxLength: 400 }),
  });

  it('never empties the buffer of the whole video, whatever each encoder spends', () => {
    fc.assert(
      fc.property(fc.array(chunk, { minLength: 2, maxLength: 6 }), (chunks) => {
        const limit = limitOf(chunks.map(({ seconds }) => seconds));
        const sizes = chunks.flatMap(({ seconds, shares }) => framesOf(seconds, shares, limit));
        const frames = sizes.map((kilobits, frame): CodedFrame => {
          return { seconds: frame / framesPerSecond, kilobits };
        });
        expect(lowestShare(frames, { kbps, ...rateBuffer(kbps) })).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });

  it('is lowered by less than a hundredth in chunks of a minute', () => {
    expect(limitOf([60, 60, 60]).kbps).toBeGreaterThan(0.99 * kbps);
  });

  it('does not depend on the last chunk, which no other follows', () => {
    expect(limitOf([60, 60, 1])).toEqual(limitOf([60, 60, 60]));
  });

  it('rejects chunks that would lower it by more than a tenth', () => {
    const chunks = [3, 60].map((durationSeconds) => ({ durationSeconds }));
    expect(losesRate(limited, chunks)).toBe(true);
    expect(losesRate(aVideoEncoding(), chunks)).toBe(false);
  });

  it('leaves other encodings as they are', () => {
    for (const encoding of [aVideoEncoding(), aLadderEncoding()])
      expect(limitChunks(encoding, [{ durationSeconds: 60 }])).toBe(encoding);
  });
});
