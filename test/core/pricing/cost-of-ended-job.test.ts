import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { aProbe, aVideoStream } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { nanoUsdOf } from '../../../core/jobs/usage.ts';
import { costOfEndedJob, costOfJob, sumOfParts } from '../../../core/pricing/cost-of-job.ts';
import { estimateJob } from '../../../core/pricing/estimate.ts';
import { aCancelledJob, aCompletedJob, aFailedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aRequest } from '../../builders/jobs/jobs.ts';
import { somePricedWorkers } from '../../builders/pricing/priced-workers.ts';

const stage = { architecture: 'arm64', memoryMb: 2048, retentionDays: 30 } as const;
const noUse = { workerMs: 0, taskMs: 0, tasks: 0, executions: 0 };
const storedFile = { ...aCompletedJob().files.output, size_mbytes: 3_000 } as NonNullable<
  ReturnType<typeof aCompletedJob>['files'][string]
>;

it('the cost of a job is that of an equal use, in billionths of a dollar', () => {
  const functionUse = { workerMs: 70_000, taskMs: 30_000, tasks: 3, executions: 1 };
  const job = aCompletedJob({ functionUse, files: { output: storedFile } });
  const use = {
    workerSeconds: 100,
    taskSeconds: 30,
    attempts: 1,
    tasks: 3,
    executions: 1,
    outputs: 1,
    outputBytes: 3e9,
    reads: 0,
    downloads: 0,
  };
  const cost = costOfEndedJob(job, stage);
  expect(nanoUsdOf(cost)).toBeCloseTo(sumOfParts(costOfJob(use, stage)) * 1e9, -1);
  expect(cost.transcoding).toBe(Math.round(((100 * 2 + 0.1) * 0.0000133334 + 2 * (0.2 / 1e6)) * 1e9));
});

it('an estimate has the same requests, log lines and traces as the cost of a job', () => {
  const { breakdown } = estimateJob(
    {
      steps: [{ recipe: recipeRequestSchema.parse({ name: 'compress' }), format: 'mp4', isIntermediate: false }],
      inputs: [{ path: '/in.mp4', probe: aProbe([aVideoStream()]) }],
      assets: [{}],
      speed: 'standard',
    },
    somePricedWorkers(),
  );
  const cost = costOfEndedJob(aCompletedJob({ functionUse: { ...noUse, workerMs: 10_000 } }), somePricedWorkers());
  const nano = (usd: number) => Math.round(usd * 1e9);
  expect([breakdown.api, breakdown.logs, breakdown.traces].map(nano)).toEqual([cost.api, cost.logs, cost.traces]);
});

it('each attempt costs its invocation, that of open-job and its requests', () => {
  const functionUse = { ...noUse, workerMs: 10_000 };
  const one = costOfEndedJob(aCancelledJob({ functionUse, attempt: 1 }), stage);
  const three = costOfEndedJob(aCancelledJob({ functionUse, attempt: 3 }), stage);
  expect((three.transcoding ?? 0) - (one.transcoding ?? 0)).toBe(
    Math.round(2 * (0.1 * 0.0000133334 + 2 * (0.2 / 1e6)) * 1e9),
  );
  expect(three.records).toBeGreaterThan(one.records ?? 0);
});

it('a job that was cancelled in the queue has cost its requests and its webhook only', () => {
  const { transcoding, disk, chunks, files, api, webhook } = costOfEndedJob(aCancelledJob({ attempt: 0 }), stage);
  expect([transcoding, disk, chunks, files]).toEqual([0, 0, 0, 0]);
  expect([api, webhook].every((part = 0) => part > 0)).toBe(true);
});

const anOutput = { recipe: { name: 'compress' }, format: 'mp4' };

it.each([
  ['as long as the stage keeps files', {}, 30],
  ['for days of its own, with those of its deleted version', { keepDays: 90 }, 97],
  ['until it is deleted, as for a year', { keepDays: null }, 372],
  ['in part', { outputs: { output: { ...anOutput, keepDays: 1 }, b: { ...anOutput, keepDays: 15 } } }, (8 + 22) / 2],
])('the storage of a job is that of its days: %s', (_, asked, days) => {
  const recovering = { ...stage, deletedFileDays: 7 };
  const b = { ...storedFile, key: 'kept/job-1/1/b/output.mp4' };
  const files: Record<string, typeof b> = 'outputs' in asked ? { output: storedFile, b } : { output: storedFile };
  const job = aCompletedJob({ functionUse: noUse, files, request: { ...aRequest, ...asked } });
  const gb = 3 * Object.keys(files).length;
  expect((costOfEndedJob(job, recovering).files ?? 0) / 1e9).toBeCloseTo(gb * 0.023 * (days / 30), 2);
});

it('files at a storage provider are billed to its owner', () => {
  const storage = { storageProviderId: 'sp_1', key: 'a.mp4' };
  const job = aCompletedJob({ functionUse: noUse, files: { output: { ...storedFile, storage } } });
  expect(costOfEndedJob(job, stage).files).toBe(0);
});

it('the transfer to a storage provider outside AWS counts, also of files that it did not publish', () => {
  const destination = { storageProviderId: 'sp_1', keyTemplate: '{name}', isOutsideAws: true } as const;
  const storage = { storageProviderId: 'sp_1', key: 'a.mp4' };
  const files = { output: { ...storedFile, storage } };
  const transferUsd = 3 * 0.09;
  const { files: published } = costOfEndedJob(aCompletedJob({ functionUse: noUse, destination, files }), stage);
  expect(published).toBe(Math.round(transferUsd * 1e9));
  const result = { files: { output: storedFile }, inputSizeBytes: 1, mediaSeconds: 1 };
  const unpublished = { jobId: aJobId(2), attempt: 1, result };
  const failed = costOfEndedJob(aFailedJob({ functionUse: noUse, destination, unpublished }), stage);
  expect(failed.files).toBe(Math.round(transferUsd * 1e9));
});

it('files that wait for a retry are stored at the cost of the job that made them, not of the retry', () => {
  const { jobId, attempt } = aFailedJob();
  const result = { files: { output: storedFile }, inputSizeBytes: 1, mediaSeconds: 1 };
  const costOf = (unpublished: { jobId: string; attempt: number }) =>
    costOfEndedJob(aFailedJob({ functionUse: noUse, unpublished: { ...unpublished, result } }), stage);
  const completed = aCompletedJob({ functionUse: noUse, files: { output: storedFile } });
  expect(costOf({ jobId, attempt }).files).toBe(costOfEndedJob(completed, stage).files);
  expect(costOf({ jobId, attempt }).files).toBeGreaterThan(0);
  expect(costOf({ jobId: aJobId(2), attempt }).files).toBe(0);
});

it('a Fargate task costs its processors, memory, disk and address by the second, and thirty seconds for its start', () => {
  const fargate = { vcpus: 4, memoryMb: 8192, storageGb: 100, hasPublicAddress: true };
  const functionUse = { ...noUse, executions: 1, fargateMs: 3_570_000, fargateTasks: 1 };
  const onArm = costOfEndedJob(aCancelledJob({ functionUse }), { ...stage, fargate });
  const hour = 4 * 0.03238 + 8 * 0.00356 + 80 * 0.000111 + 0.005;
  expect(onArm.fargate).toBe(Math.round(hour * 1e9));
  const inPrivateSubnet = { ...fargate, storageGb: 20, hasPublicAddress: false };
  const onX86 = costOfEndedJob(aCancelledJob({ functionUse }), {
    ...stage,
    architecture: 'x86_64',
    fargate: inPrivateSubnet,
  });
  expect(onX86.fargate).toBe(Math.round((4 * 0.04048 + 8 * 0.004445) * 1e9));
});

it('a Fargate task costs a minute at least', () => {
  const fargate = { vcpus: 4, memoryMb: 8192, storageGb: 20, hasPublicAddress: false };
  const costOf = (fargateMs: number) =>
    costOfEndedJob(aCancelledJob({ functionUse: { ...noUse, fargateMs, fargateTasks: 2 } }), {
      ...stage,
      fargate,
    }).fargate;
  expect(costOf(2_000)).toBe(costOf(60_000));
  expect(costOf(61_000)).toBeGreaterThan(costOf(60_000) ?? 0);
});
