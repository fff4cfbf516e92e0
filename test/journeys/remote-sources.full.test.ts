// @module-tag nightly
// @module-tag jobs
// @module-tag chunks
// @module-tag sources
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import {
  chunkSource,
  encodeOne,
  frameTimes,
  h264AndAac,
  longVideo,
  recording,
  withoutStreamEnds,
} from '@media-jobs/video/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectSameFile } from '../builders/chunking/expect-single-pass-file.ts';
import { aRangeServer, type RangeServer } from '../builders/http/range-server.ts';
import { patience } from '../builders/stage/patience.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { downloadOutput } from './parallel-stage.ts';

const recipe = { name: 'compress', preset: 'ultrafast', crf: 28 } as const;
const maxDownloadBytes = 10_000_000;

let running: RunningStage;
/** Starts a stage for the tests of this block, with chunks of so many seconds. */
function useStage(targetChunkSeconds: number): void {
  beforeAll(async () => {
    const chunking = chunkSettingsSchema.parse({ targetChunkSeconds, rangesFromBytes: 100_000 });
    running = await aRunningStage({
      environment: { CHUNKING_SETTINGS: JSON.stringify(chunking), MAX_DOWNLOAD_BYTES: String(maxDownloadBytes) },
    });
  });
  afterAll(() => running?.stop());
}

/** A server of this file. */
async function serve(path: string): Promise<RangeServer & { sizeBytes: number }> {
  const { size: sizeBytes } = await stat(path);
  const read = (start: number, end: number) => createReadStream(path, { start, end: end - 1 });
  const server = await aRangeServer({ sizeBytes, read });
  return Object.assign(server, { sizeBytes });
}

async function submit({ url }: RangeServer, speed: 'fast' | 'standard' = 'fast'): Promise<string> {
  return (await submitJob(running.api, { input: { url }, recipe, speed })).jobId;
}

const ended = (jobId: string) => waitForJobEnd(running.api, jobId);

/** Submits a job; returns once it is planned, and its execution cannot start before `start` is called. */
async function planned(server: RangeServer): Promise<{ jobId: string; start: () => void }> {
  const start = running.stage.faults.fail({ service: 'sfn', operation: 'StartExecution', kind: 'error' });
  running.stage.resetCalls();
  const jobId = await submit(server);
  await vi.waitFor(() => expect(running.stage.calls().sfn.StartExecution).toBeGreaterThan(0), patience);
  return { jobId, start };
}

const keysOf = (jobId: string) => storedKeys(running, `work/${jobId}`);

describe('a source of three minutes by URL', () => {
  useStage(40);

  it('is planned from its index and encoded in chunks, with the result of a single pass', async () => {
    const source = await longVideo('indexAtEnd');
    const server = await serve(source);
    const { jobId, start } = await planned(server);
    const { requests, bytes } = server.traffic();
    console.log(`planned after ${requests} requests and ${bytes} of ${server.sizeBytes} bytes`);
    expect(bytes / server.sizeBytes).toBeLessThan(0.1);
    expect((await keysOf(jobId)).map((key) => key.split('/').at(-1))).toEqual(['plan.json']);
    start();
    const job = await ended(jobId);
    expect(job).toMatchObject({ state: 'completed', attempt: 1, inputSizeBytes: server.sizeBytes });
    expect(job.chunking?.chunks).toBe(5);
    const { path } = await encodeOne(source, 'mp4', recipe);
    await expectSameFile(await downloadOutput(job), path);
  }, 600_000);

  it('is rejected with the reason if it takes a single pass and does not fit on the disk', async () => {
    const server = await serve(await longVideo('indexAtEnd'));
    const job = await ended(await submit(server, 'standard'));
    const { sizeBytes } = server;
    const message = expect.stringMatching(
      `^The input has ${sizeBytes} bytes, and this work needs all of it on the disk of one worker, which takes ${maxDownloadBytes}. Encoded in a single pass: `,
    );
    expect(job).toMatchObject({ state: 'rejected', error: { code: 'INPUT_TOO_LARGE', message } });
    expect(server.traffic().bytes / sizeBytes).toBeLessThan(0.1);
  });
});

describe('a source', () => {
  useStage(5);

  it('that fits on the disk is downloaded for a single pass', async () => {
    const source = await chunkSource('openGop');
    const server = await serve(source);
    const job = await ended(await submit(server, 'standard'));
    expect(job).toMatchObject({ state: 'completed', chunking: { chunks: 1 } });
    const { path } = await encodeOne(source, 'mp4', recipe);
    await expectSameFile(await downloadOutput(job), path);
  });

  it('that does not state that its video ends before its audio becomes a stream without a gap', async () => {
    const stated = await recording('early-end.mkv', { video: 20, audio: 40 }, [...h264AndAac, '-g', '25']);
    const server = await serve(await withoutStreamEnds(stated));
    const { jobId } = await submitJob(running.api, {
      input: { url: server.url },
      output: { format: 'm3u8' },
      recipe: { name: 'hls', preset: 'ultrafast' },
      speed: 'fast',
    });
    const job = await ended(jobId);
    const reason = expect.stringContaining('which its container does not state');
    expect(job).toMatchObject({ state: 'completed', chunking: { chunks: 1, reason } });
    const path = join(await aTemporaryFolder(), '36p.mp4');
    const answer = await fetch(job.outputs?.['36p'] ?? '');
    await writeFile(path, Buffer.from(await answer.arrayBuffer()));
    const times = await frameTimes(path);
    expect(times.at(-1)).toBeGreaterThan(39.8);
  });

  it.each(['fast', 'standard'] as const)('without ranges is copied once for a %s job', async (speed) => {
    const source = await chunkSource('openGop');
    const server = await serve(source);
    server.etag = undefined;
    const jobId = await submit(server, speed);
    const job = await ended(jobId);
    expect(job).toMatchObject({ state: 'completed', chunking: { chunks: speed === 'fast' ? 2 : 1 } });
    // The first request was closed after its response head.
    expect(server.traffic().requests).toBe(2);
    const { path } = await encodeOne(source, 'mp4', recipe);
    await expectSameFile(await downloadOutput(job), path, { isAudioCut: speed === 'fast' });
    await vi.waitFor(async () => expect(await keysOf(jobId)).toEqual([]), patience);
  });

  it('whose host states more than it sends is copied once it ends there again, with a warning', async () => {
    const server = await serve(await chunkSource('openGop'));
    Object.assign(server, { etag: undefined, excessBytes: 100 });
    const job = await ended(await submit(server));
    const message = expect.stringMatching(
      `stated ${server.sizeBytes + 100} bytes and sent ${server.sizeBytes}; the job was made of what arrived$`,
    );
    const warnings = [{ code: 'INPUT_DAMAGED', message }];
    expect(job).toMatchObject({ state: 'completed', chunking: { chunks: 2 }, warnings });
  });

  it('that is replaced after it was planned fails the job with that reason, and leaves no file', async () => {
    const server = await serve(await chunkSource('openGop'));
    const { jobId, start } = await planned(server);
    server.etag = '"v2"';
    start();
    const job = await ended(jobId);
    const message = expect.stringMatching(/^127\.0\.0\.1:\d+ replaced the input while it was read/);
    expect(job).toMatchObject({ state: 'failed', error: { code: 'INPUT_UNREACHABLE', message } });
    await vi.waitFor(async () => expect(await keysOf(jobId)).toEqual([]), patience);
    expect(await storedKeys(running, `jobs/${jobId}`)).toEqual([]);
  });
});
