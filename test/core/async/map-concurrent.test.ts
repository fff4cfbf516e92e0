import { describe, expect, it } from 'vitest';
import { mapConcurrent } from '../../../core/async.ts';

describe('mapConcurrent', () => {
  it('returns results in the order of the items, whichever ends first', async () => {
    const gates = new Map([1, 2, 3].map((item) => [item, Promise.withResolvers<string>()]));
    const results = mapConcurrent([1, 2, 3], 3, (item) => gates.get(item)?.promise ?? Promise.reject(item));
    for (const item of [3, 1, 2]) gates.get(item)?.resolve(`result ${item}`);
    expect(await results).toEqual(['result 1', 'result 2', 'result 3']);
  });

  it('never runs more calls than its limit', async () => {
    let now = 0;
    let maxRunning = 0;
    await mapConcurrent([...Array(20).keys()], 4, async () => {
      now += 1;
      maxRunning = Math.max(maxRunning, now);
      await Promise.resolve();
      now -= 1;
    });
    expect(maxRunning).toBe(4);
  });

  it('throws the first failure after the calls under way have ended, and begins no other', async () => {
    const began: number[] = [];
    const ended: number[] = [];
    const slow = Promise.withResolvers<void>();
    const all = mapConcurrent([0, 1, 2, 3], 2, async (item) => {
      began.push(item);
      if (item === 0) {
        queueMicrotask(slow.resolve);
        throw new Error('no room');
      }
      await slow.promise;
      ended.push(item);
    });
    await expect(all).rejects.toThrow('no room');
    expect({ began, ended }).toEqual({ began: [0, 1], ended: [1] });
  });
});
