import { JobError, prefixJobError } from '@media-jobs/video/errors';
import { beforeEach, expect, it } from 'vitest';
import { locateJob } from '../../../core/jobs/locate-job.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { queuedIds } from '../../../core/jobs/unfinished-jobs.ts';
import { claimNextJob } from '../../../functions/open-job/claim-job.ts';
import { aChunkedStage, type ChunkedStage } from '../../builders/chunking/a-chunked-stage.ts';
import { aClipRequest, queueJob, runTranscode } from '../../builders/chunking/chunked-job.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';
import { transcodeNext } from '../../builders/jobs/transcode-next.ts';
import { withPorts } from '../../builders/jobs/worker-ports.ts';

const request = await aClipRequest();
let stage: ChunkedStage;
let messages: (JobRef & { delaySeconds?: number | undefined })[];
/** A host that answers every request with 503 and this `Retry-After`. */
const busy = (retryAfterMs: number | undefined) => ({
  queue: {
    send: async ({ ownerId, jobId }: JobRef, { delaySeconds }: { delaySeconds?: number } = {}) =>
      void messages.push({ ownerId, jobId, delaySeconds }),
  },
  sources: {
    download: async () => {
      const error = new JobError('INPUT_UNREACHABLE', 'files.example answered 503', { retryAfterMs });
      throw prefixJobError(error, 'inputs.1');
    },
  },
});
beforeEach(async () => {
  stage = await aChunkedStage();
  messages = [];
});

/** The dependencies of a worker whose clock is this much ahead. */
function inTime(ms: number) {
  const { clock } = stage.ports;
  return { ...stage.ports, clock: { ...clock, now: () => new Date(Date.now() + ms) } };
}

it('a job whose host asks to come back later frees its worker, and completes then', async () => {
  const job = await queueJob(stage, request);
  expect(await runTranscode(stage, job, busy(60_000))).toBe('requeued');
  expect(messages).toEqual([{ ownerId: job.ownerId, jobId: job.jobId, delaySeconds: 61 }]);
  const other = await queueJob(stage, request, aJobId(2));
  expect(await claimNextJob(stage.ports, other)).toMatchObject({ jobId: other.jobId });
  expect(await claimNextJob(stage.ports, job)).toBeUndefined();
  const deps = inTime(62_000);
  expect(await transcodeNext(deps, job, new Date(Date.now() + 300_000))).toBe('completed');
  expect(await stage.ports.jobs.get(job)).toMatchObject({ attempt: 2, state: 'completed' });
});

it('it is listed as queued, and starts when its host accepts requests', async () => {
  const job = await queueJob(stage, request);
  await runTranscode(stage, job, busy(60_000));
  expect(
    await queuedIds({ ...stage.ports, running: stage.ports.queue.running }, { ownerId: job.ownerId, limit: 9 }),
  ).toEqual([job.jobId]);
  const waiting = await stage.ports.jobs.get(job);
  if (waiting?.state !== 'queued') throw new Error('It waits');
  const { estimatedStartAt } = await locateJob(stage.ports, waiting);
  expect(estimatedStartAt).toBe(waiting.notBefore);
});

it('it gets its message from reconcile if the wait is longer than SQS delays one', async () => {
  const job = await queueJob(stage, request);
  expect(await runTranscode(stage, job, busy(1_800_000))).toBe('requeued');
  expect(messages).toEqual([]);
  const waiting = await stage.ports.jobs.get(job);
  if (waiting?.state !== 'queued') throw new Error('It waits');
  expect(Date.parse(waiting.dueAt)).toBe(Date.parse(waiting.notBefore ?? '') + 50_000);
});

it('it is rejected after five waits, and at once if its host asks for hours', async () => {
  const job = await queueJob(stage, request);
  const results = [];
  for (let n = 0; n < 6; n += 1) {
    const deps = withPorts(inTime(n * 60_000), busy(0));
    results.push(await transcodeNext(deps, job, new Date(Date.now() + 900_000)));
  }
  expect(results).toEqual([...Array(5).fill('requeued'), 'rejected']);
  expect(await stage.ports.jobs.get(job)).toMatchObject({
    error: { code: 'INPUT_UNREACHABLE', retryable: true, message: 'inputs.1: files.example answered 503' },
  });
  const impatient = await queueJob(stage, request, aJobId(2));
  expect(await runTranscode(stage, impatient, busy(7_200_000))).toBe('rejected');
});
