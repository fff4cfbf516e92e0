import { chunkSource } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { runTranscode } from '../../builders/chunking/chunked-job.ts';
import { aJobId, aQueuedJob } from '../../builders/jobs/jobs.ts';

const request: JobRequestRecord = {
  mode: 'pipeline',
  input: { url: clipUrl(await chunkSource('openGop')) },
  output: { format: 'mp4' },
  steps: [{ recipe: { name: 'compress' } }, { recipe: { name: 'mute' } }],
};

it('a job whose completed step has lost its output fails with an error that tells its owner to retry', async () => {
  const stage = await aChunkedStage();
  const jobId = aJobId();
  const intermediates = { 0: { key: `work/${jobId}/steps/1/output.mp4` } };
  const result = { files: {}, inputSizeBytes: 1, mediaSeconds: 2 };
  const job = { ...aQueuedJob({ jobId, request }), completedSteps: { intermediates, result, count: 1, attempts: 0 } };
  await stage.ports.jobs.write({ guard: { absent: true }, job });
  expect(await runTranscode(stage, job)).toBe('failed');
  expect(await stage.ports.jobs.get(job)).toMatchObject({
    error: { code: 'TIMEOUT', message: expect.stringContaining('output.mp4 is missing'), retryable: true },
  });
  expect(stage.unexpected).toEqual([]);
});
