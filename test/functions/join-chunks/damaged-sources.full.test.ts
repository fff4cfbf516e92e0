// @module-tag chunks
// @module-tag sources
import { basename } from 'node:path';
import { damagedFile, noise, withoutFragments } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { chunkKeys } from '../../../core/jobs/stored-file.ts';
import { encodedChunks } from '../../builders/chunking/encoded-chunks.ts';
import { jobInChunks } from '../../builders/chunking/job-in-chunks.ts';
import { runAsWorker } from '../../builders/recipes/run-pipeline.ts';

it.each([
  ['overwritten', () => damagedFile('h264.mp4', [0.4, 0.6], noise)],
  ['without one of its fragments', () => withoutFragments((number) => number === 5)],
])('a damaged source is told in chunks as in a single pass: %s', async (_, damaged) => {
  const source = await damaged();
  const { warnings } = await runAsWorker(source, 'mkv', [{ name: 'compress', preset: 'ultrafast' }]);
  expect(await jobInChunks(source)).toMatchObject({ state: 'completed', warnings });
});

it('most of a source is damaged: the job in chunks fails, and not to be retried', async () => {
  const source = await damagedFile('h264.mp4', [0.15, 0.85], noise);
  const error = { code: 'INPUT_DAMAGED', retryable: false };
  expect(await jobInChunks(source)).toMatchObject({ state: 'failed', error });
});

it('the chunks of a source that is mostly damaged are not joined, and the log has their commands', async () => {
  const { stage, work } = await encodedChunks();
  for (const number of [0, 1]) {
    const { resultKey } = chunkKeys(work.input.planKey, number);
    const result = JSON.parse((await stage.read(resultKey)).toString());
    const streams = [{ input: 0, kind: 'video', packets: 100, damaged: 100 }];
    const decoding = { streams, hasContainerErrors: false };
    const runs = result.runs.map((run: object) => ({ ...run, decoding }));
    await stage.bucket.put(resultKey, JSON.stringify({ ...result, runs }));
  }
  expect(await work.join()).toBe('failed');
  expect(await work.job()).toMatchObject({ error: { code: 'INPUT_DAMAGED', retryable: false } });
  const [log] = await stage.ports.logs.list(work.input);
  expect(log?.commands.map((command) => basename(command.at(-1) ?? ''))).toContain('encoded-0');
});
