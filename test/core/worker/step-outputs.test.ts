import { chunkSource } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { stepOutputsSchema } from '../../../core/jobs/step-outputs.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { runTranscode } from '../../builders/chunking/chunked-job.ts';
import { aJobId, aQueuedJob } from '../../builders/jobs/jobs.ts';

const request: JobRequestRecord = {
  mode: 'pipeline',
  input: { url: clipUrl(await chunkSource('openGop')) },
  output: { format: 'mp4' },
  steps: [{ recipe: { name: 'clip', start: 1, end: 3 } }, { recipe: { name: 'mute' } }],
};

it.each(['the list of the outputs', 'an output'])(
  'a job whose completed step has lost %s fails with an error that tells its owner to retry',
  async (lost) => {
    const stage = await aChunkedStage();
    const jobId = aJobId();
    const key = `work/${jobId}/steps/1/outputs.json`;
    const intermediate = `work/${jobId}/steps/1/output.mp4`;
    const result = { files: {}, inputSizeBytes: 1, mediaSeconds: 2 };
    const outputs = stepOutputsSchema.parse({ intermediate, result });
    if (lost === 'an output') await stage.ports.files.writeText(key, JSON.stringify(outputs));
    const job = { ...aQueuedJob({ jobId, request }), completedSteps: { key, count: 1, attempts: 0 } };
    await stage.ports.jobs.write({ guard: { absent: true }, job });
    expect(await runTranscode(stage, job)).toBe('failed');
    expect(await stage.ports.jobs.get(job)).toMatchObject({
      error: {
        code: 'TIMEOUT',
        message: expect.stringContaining(lost === 'an output' ? 'output.mp4 is missing' : 'outputs.json is missing'),
        retryable: true,
      },
    });
    expect(stage.unexpected).toEqual([]);
  },
);
