// @module-tag chunks
import { basename } from 'node:path';
import {
  damagedFile,
  flippedBits,
  lostPackets,
  noise,
  type SourceName,
  wholeFile,
  wholeSources,
  zeros,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../core/jobs/record.ts';
import { chunkKeys } from '../../../core/jobs/work-files.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { encodedChunks } from '../../builders/chunking/encoded-chunks.ts';
import { runToEnd } from '../../builders/chunking/run-to-end.ts';
import { runAsWorker } from '../../builders/recipes/run-pipeline.ts';

const compress = { name: 'compress', preset: 'ultrafast' } as const;

/** The ended job of a file that is encoded in chunks. */
async function inChunks(source: string): Promise<Job> {
  const input = { url: clipUrl(source) };
  const request = {
    mode: 'recipe',
    input,
    output: { format: 'mkv' },
    recipe: compress,
    speed: 'fast',
  } as const;
  const stage = await aChunkedStage();
  const ended = await runToEnd(stage, request);
  expect(stage.unexpected).toEqual([]);
  expect(ended).toHaveProperty('chunking');
  return ended;
}

describe('a damaged source is told in chunks as in a single pass', () => {
  it.each<[SourceName, string, (part: Buffer) => Uint8Array]>([
    ['h264.mp4', 'noise', noise],
    ['h264.mp4', 'flipped bits', flippedBits],
    ['h264.mkv', 'noise', noise],
    ['h264.ts', 'lost packets', lostPackets],
    ['mpeg2.ts', 'lost packets', lostPackets],
    ['hevc.mp4', 'zeros', zeros],
    ['prores.mov', 'noise', noise],
  ])('%s with %s', async (name, _, change) => {
    const source = await damagedFile(name, [0.4, 0.6], change);
    const job = await inChunks(source);
    const single = await runAsWorker(source, 'mkv', [compress]);
    expect(job).toMatchObject({ state: 'completed', warnings: single.warnings });
  });
});

it('most of a source is damaged: the job in chunks fails, and not to be retried', async () => {
  const source = await damagedFile('h264.mp4', [0.15, 0.85], noise);
  expect(await inChunks(source)).toMatchObject({
    state: 'failed',
    error: { code: 'INPUT_DAMAGED', retryable: false },
  });
});

it('the chunks of a source that is mostly damaged are not joined, and the log has their commands', async () => {
  const { stage, work } = await encodedChunks();
  for (const number of [0, 1]) {
    const { resultKey } = chunkKeys(work.input.planKey, number);
    const result = JSON.parse((await stage.read(resultKey)).toString());
    const streams = [{ input: 0, kind: 'video', packets: 100, damaged: 60 }];
    const decoding = { streams, hasContainerErrors: false };
    const runs = result.runs.map((run: object) => ({ ...run, decoding }));
    await stage.bucket.put(resultKey, JSON.stringify({ ...result, runs }));
  }
  expect(await work.join()).toBe('failed');
  expect(await work.job()).toMatchObject({ error: { code: 'INPUT_DAMAGED', retryable: false } });
  const [log] = await stage.ports.logs.list(work.input);
  expect(log?.commands.map((command) => basename(command.at(-1) ?? ''))).toContain('encoded-0');
});

it.each(Object.keys(wholeSources) as SourceName[])(
  'a source that is whole has no warning: %s',
  async (name) => {
    expect(await inChunks(await wholeFile(name))).not.toHaveProperty('warnings');
  },
);
