// @module-tag nightly
// @module-tag jobs
// @module-tag chunks
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { aParallelStage, type ParallelStage } from './parallel-stage.ts';

let stage: ParallelStage;

beforeAll(async () => {
  stage = await aParallelStage();
});

describe('a chunked job', () => {
  it('adds up the progress of its chunks, which never falls', async () => {
    const seen: number[] = [];
    const jobId = await stage.submit('/video.mp4', { speed: 'fast', preset: 'slower' });
    await stage.ended(jobId, ({ progress }) => seen.push(progress));
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.filter((progress) => progress > 10 && progress < 95).length).toBeGreaterThan(1);
  });

  it.each([
    ['ffmpeg', (encoder: number) => encoder],
    ['function', parentOf],
  ])('encodes a chunk again if its %s was killed', async (_, victimOf) => {
    const jobId = await stage.encoding('slow');
    const [encoder] = stage.encoders();
    if (encoder === undefined) throw new Error('Expected a running ffmpeg, found none');
    process.kill(victimOf(encoder), 'SIGKILL');
    const job = await stage.ended(jobId);
    expect(job).toMatchObject({ state: 'completed', attempt: 1, chunking: { chunks: 3 } });
  });
});

/** The process that started another. Linux only. */
function parentOf(id: number): number {
  const [, parent = ''] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
  return Number(parent);
}
