import { describe, expect, it } from 'vitest';
import { type ChunkLengthSettings, chunkLength, type WorkToCut } from '../../../src/chunking/plan/chunk-policy.ts';
import { chunkSettingsSchema } from '../../../src/chunking/settings.ts';

const hours = 3600;

/** Two hours of 1080p, unless told otherwise. */
function lengthOf(work: Partial<WorkToCut>, settings: Partial<ChunkLengthSettings> = {}): number {
  const durationSeconds = work.durationSeconds ?? 2 * hours;
  return chunkLength(
    { cpuSeconds: 2.42 * durationSeconds, codecs: 1, hasRate: false, ...work, durationSeconds },
    { ...chunkSettingsSchema.parse({}), ...settings },
  );
}

describe('a chunk', () => {
  it.each([4, 20, 40])('of however short a video has the length of the settings where %d run', (maxParallelChunks) => {
    for (const durationSeconds of [60, 600, 2 * hours, 8 * hours]) {
      expect(lengthOf({ durationSeconds }, { maxParallelChunks })).toBe(60);
    }
  });

  it('is so short that all of them run at once where more than 40 do', () => {
    expect(lengthOf({}, { maxParallelChunks: 150 })).toBe(48);
    expect(lengthOf({}, { maxParallelChunks: 200 })).toBe(36);
  });

  it('is not longer for it', () => {
    expect(lengthOf({}, { maxParallelChunks: 100 })).toBe(60);
    expect(lengthOf({ durationSeconds: 8 * hours }, { maxParallelChunks: 200 })).toBe(60);
  });

  it('counts in each codec', () => {
    expect(lengthOf({ codecs: 3, durationSeconds: hours }, { maxParallelChunks: 200 })).toBe(54);
  });

  it('keeps half of its length and half of the work of a chunk', () => {
    const settings = { maxParallelChunks: 200 };
    const [short, small, large] = [
      { durationSeconds: 600 },
      { cpuSeconds: 1.05 * 2 * hours },
      { cpuSeconds: 10 * 2 * hours },
    ];
    expect(lengthOf(short, settings)).toBeCloseTo(150 / 2.42 / 2);
    expect(lengthOf({ ...short, cpuSeconds: 600 * 3 }, settings)).toBe(30);
    expect(lengthOf(small, settings)).toBe(60);
    // Its work makes it shorter already.
    expect(lengthOf(large, settings)).toBe(15);
  });

  it('has at least 4 s, and 20 s with a maximum bit rate', () => {
    const settings = { maxParallelChunks: 200, targetChunkSeconds: 6, chunkCpuSeconds: 10 };
    const short = { durationSeconds: 600 };
    expect(lengthOf(short, settings)).toBe(4);
    expect(lengthOf({ ...short, hasRate: true }, settings)).toBe(20);
  });
});
