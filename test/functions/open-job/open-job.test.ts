import { expect, it } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import { openJob } from '../../../functions/open-job/app.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aJobId, aProcessingJob } from '../../builders/jobs/jobs.ts';

const kept = (jobId: string) => {
  const poster = { key: `kept/${jobId}/1/poster/output.jpg`, mime_type: 'image/jpeg', size_mbytes: 1 };
  const result = { files: { poster }, inputSizeBytes: 1 };
  return { completedSteps: { count: 1, attempts: 0, intermediates: {}, result } } as unknown as Partial<
    JobIn<'processing'>
  >;
};

async function openedWith(differences: Partial<JobIn<'processing'>>): Promise<object | undefined> {
  const job = { ...aProcessingJob(), ...differences };
  const jobs = memoryJobTable();
  await jobs.write({ guard: { absent: true }, job });
  const { ownerId, jobId, leaseId } = job;
  const ports = { jobs, assume: async (asked: object) => asked } as unknown as Parameters<typeof openJob<object>>[0];
  return (await openJob(ports, { lease: { ownerId, jobId, leaseId } }))?.credentials;
}

it.each<[string, Partial<JobIn<'processing'>>, string | undefined]>([
  ['nothing of another job', {}, undefined],
  ['outputs of its own', kept(aProcessingJob().jobId), undefined],
  ['outputs of the job that it retries', kept(aJobId(2)), aJobId(2)],
])('a worker may read files of the retried job, if its job has %s', async (_, differences, retriedJobId) => {
  const { ownerId, jobId } = aProcessingJob();
  expect(await openedWith(differences)).toEqual({ ownerId, jobId, retriedJobId });
});

it('a worker may decrypt the content key of a retry, which was encrypted for the first job', async () => {
  expect(await openedWith({ contentKey: { jobId: aJobId(2), encrypted: '' } })).toMatchObject({ keyJobId: aJobId(2) });
});
