import { describe, expect, it } from 'vitest';
import { isStraggler } from '../../../src/chunking/plan/chunk-tasks.ts';
import { aChunk, aChunkedWork } from '../../builders/chunking/a-chunked-work.ts';

/** Four chunks; the last one has half of the work. The audio is task 4. */
const work = aChunkedWork({ chunks: [1 / 6, 1 / 6, 1 / 6, 1 / 2].map((costShare) => ({ ...aChunk, costShare })) });

/** All tasks but 2 and 3 have ended: two chunks after 30 and 40 s, the audio after 10 s. */
const record = { chunkProgress: { 0: 100, 1: 100, 4: 100 }, taskMs: { 0: 30_000, 1: 40_000, 2: 10_000, 4: 10_000 } };

describe('a chunk task', () => {
  it.each([
    ['is late after more than twice the time of its siblings', 2, { ms: 81_000, percent: 40 }, true],
    ['is not late before', 2, { ms: 79_000, percent: 1 }, false],
    ['is late without any progress', 2, { ms: 81_000, percent: 0 }, true],
    ['is not started again if it ends sooner itself', 2, { ms: 81_000, percent: 67 }, false],
    ['with more work has more time', 3, { ms: 200_000, percent: 10 }, false],
    ['with more work is late after twice that time', 3, { ms: 241_000, percent: 10 }, true],
    ['has no siblings of another kind', 4, { ms: 900_000, percent: 0 }, false],
    ['that the plan does not have is not late', 9, { ms: 900_000, percent: 0 }, false],
  ])('%s', (_, number, progress, expected) => expect(isStraggler(work, number, progress, record)).toBe(expected));

  it('is compared with two ended siblings at least', () => {
    const one = { ...record, chunkProgress: { 0: 100, 1: 99 } };
    expect(isStraggler(work, 2, { ms: 800_000, percent: 1 }, one)).toBe(false);
    expect(isStraggler(work, 2, { ms: 800_000, percent: 1 }, {})).toBe(false);
  });

  it('is not compared with siblings that found the result of an earlier attempt', () => {
    const reused = { ...record, taskMs: { 0: 400, 1: 600 } };
    expect(isStraggler(work, 2, { ms: 60_000, percent: 50 }, reused)).toBe(false);
  });

  it('is never late in its first half minute', () => {
    const quick = { ...record, taskMs: { 0: 2_000, 1: 2_000 } };
    expect(isStraggler(work, 2, { ms: 29_000, percent: 0 }, quick)).toBe(false);
    expect(isStraggler(work, 2, { ms: 31_000, percent: 0 }, quick)).toBe(true);
  });

  it('is started again in time if its siblings took almost half of the time of a function', () => {
    const long = { ...record, taskMs: { 0: 400_000, 1: 400_000 } };
    expect(isStraggler(work, 2, { ms: 421_000, percent: 20 }, long)).toBe(true);
    expect(isStraggler(work, 2, { ms: 421_000, percent: 60 }, long)).toBe(false);
  });
});
