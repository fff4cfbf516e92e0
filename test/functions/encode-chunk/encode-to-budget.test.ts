import { argumentTexts } from '@media-jobs/video/ffmpeg';
import type { Quality, VideoCodec } from '@media-jobs/video/media';
import { aChunk, aChunkedWork, aFrameIndex, aVideoEncoding } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import type { ChunkRunner } from '../../../core/chunked/chunk-runner.ts';
import { encodeToBudget } from '../../../functions/encode-chunk/encode-task.ts';

const bytes = 1_000_000;
const limit = { maxKbps: 400, buffer: { kilobits: 800, initialShare: 0.9 } };

/** Encodes a minute with an encoder that makes files of this size from a bit rate; returns its passes and rates. */
async function encode(quality: Quality, sizeOf: (kbps: number) => number, codec: VideoCodec = 'h264') {
  const runs: string[] = [];
  const progress: number[] = [];
  let last = 0;
  const runner: Pick<ChunkRunner, 'run' | 'readFrameIndex'> = {
    async run(command, onPercent) {
      const outputArguments = argumentTexts(command.outputArguments);
      onPercent?.(100);
      const argumentOf = (name: string) => outputArguments[outputArguments.indexOf(name) + 1];
      last = Number.parseInt(argumentOf('-b:v') ?? '', 10);
      runs.push(`${outputArguments.includes('-pass') ? argumentOf('-pass') : 'only'} ${last}`);
    },
    readFrameIndex: async () => ({ ...aFrameIndex(), sizeBytes: sizeOf(last) }),
  };
  const work = aChunkedWork({ encoding: aVideoEncoding({ codec, quality }) });
  const files = { sources: ['source'], outputPath: () => 'encoded' };
  const request = { work, chunk: aChunk, files, target: { bytes, limit } };
  const index = await encodeToBudget(runner as ChunkRunner, request, (percent) => progress.push(percent));
  return { runs, progress, sizeBytes: index.sizeBytes };
}

const exact = (kbps: number) => (kbps * 1000 * 60) / 8;
const ofSize = { bitrateKbps: 1, fileBytes: 1 };

describe('a chunk at a bit rate of its own', () => {
  it('is encoded in two passes', async () => {
    const { runs, progress } = await encode({ bitrateKbps: 100 }, exact);
    expect(runs).toEqual(['1 133', '2 133']);
    expect(progress).toEqual([50, 100]);
  });

  it('is encoded in one by an encoder that has no two', async () => {
    const { runs, progress } = await encode({ bitrateKbps: 100 }, exact, 'av1');
    expect(runs).toEqual(['only 133']);
    expect(progress).toEqual([100]);
  });

  it('fits into its bytes if the file has a given size', async () => {
    const { runs, sizeBytes } = await encode(ofSize, (kbps) => 1.1 * exact(kbps));
    expect(runs.map((run) => run[0])).toEqual(['1', '2', '2']);
    expect(sizeBytes).toBeLessThanOrEqual(bytes);
    expect(sizeBytes).toBeGreaterThan(0.985 * bytes);
  });

  it('ends with the largest that fits', async () => {
    // No size between: every rate is too small, or too large.
    const { sizeBytes, runs } = await encode(ofSize, (kbps) => (kbps > 130 ? 1_200_000 : 900_000));
    expect(sizeBytes).toBe(900_000);
    expect(runs.length).toBeGreaterThan(3);
  });

  it('is checked again if the largest that fits was not the last and has another size this time', async () => {
    const sizes = [1_200_000, 900_000, 1_100_000, 970_000, 1_050_000, 1_030_000, 1_010_000, 980_000];
    const { sizeBytes, runs } = await encode(ofSize, () => sizes.shift() ?? 0, 'av1');
    expect([sizeBytes, runs.length]).toEqual([980_000, 8]);
    expect(runs[6]).toBe(runs[3]);
  });

  it('fails if no bit rate is low enough', async () => {
    await expect(encode(ofSize, () => 2_000_000)).rejects.toThrow(
      'A chunk could not be encoded into 1000000 bytes: the last file had 2000000',
    );
  });
});
