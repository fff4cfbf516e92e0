import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allotBytes, measuringEncoding, targetOfChunk } from '../../../src/chunking/plan/rate-target.ts';
import { isLadderEncoding, targetOf } from '../../../src/encoding/encoding.ts';
import { aLadderEncoding } from '../../builders/recipes/a-ladder-encoding.ts';
import { aVideoEncoding } from '../../builders/recipes/a-video-encoding.ts';

const aMinute = { frames: 1500, startSeconds: 0, durationSeconds: 60, costShare: 0.5 };
const minutes = (count: number) => Array.from({ length: count }, () => ({ ...aMinute }));
const measurements = (...bytes: number[]) => bytes.map((measuredBytes) => ({ measuredBytes }));
const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
const atRate = (bitrateKbps: number, maxKbps?: number) => ({
  format: 'mp4' as const,
  encoding: aVideoEncoding({ quality: { bitrateKbps, maxKbps } }),
});
const ofSize = (fileBytes: number) => ({
  format: 'mp4' as const,
  encoding: aVideoEncoding({ quality: { bitrateKbps: 1, fileBytes } }),
});

describe('the bits of a target bit rate', () => {
  it('are allotted in proportion to what was measured', () => {
    const [hard = 0, easy = 0] = allotBytes(
      { ...atRate(1000), chunks: minutes(2) },
      measurements(3_000_000, 2_000_000),
    );
    expect(hard / easy).toBeCloseTo(1.5, 6);
    expect(hard + easy).toBeCloseTo((1000 * 1000 * 120) / 8, 0);
  });

  it('never exceed the maximum in a chunk: the others get what is left', () => {
    const work = { ...atRate(1000, 1200), chunks: minutes(3) };
    const allotted = allotBytes(work, measurements(9e6, 1e6, 2e6));
    const { limit } = targetOfChunk(work, work.chunks[0] ?? aMinute, measurements(9e6, 1e6, 2e6));
    expect(allotted[0]).toBeCloseTo((limit.maxKbps * 1000 * 60) / 8, 0);
    expect(limit.maxKbps).toBeLessThan(1200);
    expect(sum(allotted)).toBeCloseTo((1000 * 1000 * 180) / 8, 0);
  });

  it('never exceed the highest bit rate of the encoder, with a limit above it or none', () => {
    for (const quality of [{ bitrateKbps: 90_000 }, { bitrateKbps: 1, fileBytes: 3e9 }]) {
      const encoding = aVideoEncoding({ codec: 'av1', quality });
      const work = { format: 'mp4' as const, encoding, chunks: minutes(3) };
      const allotted = allotBytes(work, measurements(9e6, 1e6, 2e6));
      expect(Math.max(...allotted)).toBeCloseTo((100_000 * 1000 * 60) / 8, 0);
    }
  });

  it('have a buffer that ffmpeg accepts, however large the file', () => {
    const work = { ...ofSize(5e9), chunks: [aMinute] };
    const { limit } = targetOfChunk(work, aMinute, measurements(1));
    expect(limit.buffer.kilobits * 1000).toBeLessThan(2 ** 31);
  });

  it('are all used, and a black chunk gets what any frame takes', () => {
    const bytes = fc.integer({ min: 0, max: 1e8 });
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 20 }), (measured) => {
        const work = { ...ofSize(5e7), chunks: minutes(measured.length) };
        const allotted = allotBytes(work, measurements(...measured));
        expect(sum(allotted)).toBeLessThanOrEqual(5e7);
        expect(sum(allotted)).toBeGreaterThan(0.97 * 5e7);
        expect(Math.min(...allotted)).toBeGreaterThanOrEqual(Math.min(60 * 1500, 1e6 / 4));
      }),
    );
  });

  it('are what audio and container leave of a file of a given size', () => {
    const work = { ...ofSize(1e7), chunks: minutes(2) };
    const audio = { audio: [{ packets: 5000, sizeBytes: 2e6, startSeconds: 0, endSeconds: 120 }] };
    const left = sum(allotBytes(work, [audio, ...measurements(1, 1)]));
    expect(left).toBeLessThan(1e7 - 2e6);
    expect(left).toBeGreaterThan(1e7 - 2e6 - 100_000);
  });

  it('wait for all measurements', () => {
    expect(() => allotBytes({ ...atRate(1000), chunks: minutes(2) }, measurements(1))).toThrow(
      '1 of 2 chunks are measured',
    );
  });
});

it('the headers of all chunks declare one limit, twice the largest rate where the job has none', () => {
  const work = { ...ofSize(1e7), chunks: minutes(2) };
  const [first, second] = work.chunks.map((chunk) => targetOfChunk(work, chunk, measurements(3, 1)));
  expect(first?.limit).toEqual(second?.limit);
  expect(first?.limit.maxKbps).toBe(2 * Math.round(((first?.bytes ?? 0) * 8) / 1000 / 60));
});

it('a measurement encodes the same frames fast and at constant quality', () => {
  const encoding = aVideoEncoding({ codec: 'vp9', quality: { bitrateKbps: 500 } });
  const measuring = measuringEncoding(encoding);
  expect(measuring).toMatchObject({ codec: 'h264', preset: 'superfast', quality: { crf: 23 } });
  expect(isLadderEncoding(measuring) ? undefined : measuring.transform).toEqual(encoding.transform);
});

it('only a target bit rate is allotted', () => {
  expect(targetOf(aVideoEncoding())).toBeUndefined();
  expect(targetOf(aLadderEncoding())).toBeUndefined();
});
