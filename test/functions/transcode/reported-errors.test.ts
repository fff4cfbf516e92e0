import { JobError } from '@media-jobs/video/errors';
import { expect, it } from 'vitest';
import { UnpublishedError } from '../../../core/publish/store-result.ts';
import { endAttempt } from '../../../functions/transcode/end-attempt.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { anAttempt } from '../../builders/jobs/an-attempt.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

const { jobId, attempt, files } = aCompletedJob();
const denied = Object.assign(new Error('Denied'), { $metadata: { httpStatusCode: 403 } });
const rejected = new JobError('UPLOAD_ERROR', 'Could not be stored');
const unpublished = new UnpublishedError(rejected, { jobId, attempt, result: { files, inputSizeBytes: 1 } });

it.each<[name: string, error: Error, isReported: boolean]>([
  ['an unknown error', new TypeError('Broken'), true],
  ['an error of the media bucket, whose cause the job does not show,', denied, true],
  ['an error of a storage provider, which its owner reads,', unpublished, false],
  ['an error of ffmpeg', new JobError('TRANSCODE_ERROR', 'ffmpeg failed'), false],
])('%s is reported to the operator or not', async (_, error, isReported) => {
  const job = aProcessingJob();
  const jobs = memoryJobTable();
  await jobs.write({ guard: { absent: true }, job });
  const reported: unknown[] = [];
  const deps = workerPorts({
    jobs,
    files: { removeAll: async () => 'complete' },
    deliveries: { send: async () => undefined },
    newId: () => 'delivery-1',
    onUnexpected: (_ref: unknown, cause: unknown) => reported.push(cause),
  });
  await endAttempt(anAttempt(deps, job, 'uploading'), { kind: 'error', error });
  expect(reported).toEqual(isReported ? [error] : []);
});
