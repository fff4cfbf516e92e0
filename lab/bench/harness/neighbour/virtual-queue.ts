import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { concurrencyLimits } from '../../../../adapters/dynamodb/concurrency-limits.ts';
import { jobTable } from '../../../../adapters/dynamodb/job-table.ts';
import { runningLimit } from '../../../../adapters/dynamodb/running-limit.ts';
import { longLimitSort } from '../../../../adapters/dynamodb/table-keys.ts';
import { newJobId } from '../../../../adapters/system/clock.ts';
import { type JobQueue, leaveLimit } from '../../../../core/jobs/job-queue.ts';
import type { JobRef } from '../../../../core/jobs/ports.ts';
import { limitedQueueOf } from '../../../../core/jobs/queues.ts';
import type { Job, JobIn } from '../../../../core/jobs/record.ts';
import { complete } from '../../../../core/jobs/termination.ts';
import { create } from '../../../../core/jobs/transitions.ts';
import type { ClaimPorts } from '../../../../core/worker/ports.ts';
import { claimNextJob } from '../../../../functions/open-job/claim-job.ts';
import { jobRequest } from '../api/job-request.ts';
import { putJobs } from '../stage/put-jobs.ts';

export type VirtualQueue = ReturnType<typeof virtualQueue>;

type Worker = {
  claims: ClaimPorts['claims'];
  freeAt: number;
  job?: JobIn<'processing'> | undefined;
};

/** A claimed job: when it was submitted and claimed, in virtual Unix milliseconds. */
export type Start = JobRef & { queue: Job['queue']; submittedAt: number; startedAt: number };

/**
 * Workers that claim jobs from a real table in virtual time: the queue delivers messages in order, and a job takes the
 * milliseconds that `jobMs` returns for its queue.
 */
export function virtualQueue(
  table: { client: DynamoDBClient; tableName: string },
  {
    workers,
    startsAt,
    jobMs,
    maxRunningJobs = 10,
  }: { workers: number; startsAt: number; jobMs: (queue: Job['queue']) => number; maxRunningJobs?: number },
) {
  const { client, tableName } = table;
  const jobs = jobTable(client, tableName);
  const messages: JobRef[] = [];
  const submitted = new Map<string, number>();
  const queue: JobQueue = {
    send: async (ref) => void messages.push(ref),
    running: runningLimit(client, tableName, maxRunningJobs),
    long: concurrencyLimits(client, tableName, longLimitSort),
    maxRunningJobs,
    workers,
  };
  const pool: Worker[] = Array.from({ length: workers }, () => ({
    claims: {
      short: { current: { claims: 0 } },
      long: { current: { claims: 0 } },
      economy: { current: { claims: 0 } },
      batch: { current: { claims: 0 } },
    },
    freeAt: startsAt,
  }));
  let nowMs = startsAt;
  let ids = 0;
  const clock = { now: () => new Date(nowMs), sleep: () => Promise.resolve() };

  const end = async (worker: Worker) => {
    if (worker.job === undefined) return;
    const { ownerId, jobId, attempt } = worker.job;
    const termination = { now: clock.now(), webhookTarget: null, deliveryId: 'none' };
    const result = { files: {}, filesExpireAt: clock.now().toISOString() };
    await jobs.write(complete(worker.job, result, termination));
    const entry = { ownerId, jobId, attempt };
    await queue.running.leave(entry);
    const limited = limitedQueueOf(worker.job);
    if (limited !== undefined) await leaveLimit({ jobs, queue }, entry, limited);
    worker.job = undefined;
  };

  const onUnexpected = (_: JobRef, cause: unknown) => {
    throw cause;
  };
  const claim = async ({ claims }: Worker): Promise<JobIn<'processing'> | undefined> => {
    const deps: ClaimPorts = {
      jobs,
      queue,
      clock,
      onUnexpected,
      claims,
      newId: () => `lease-${++ids}`,
      onClaimed: () => undefined,
    };
    for (let message = messages.shift(); message !== undefined; message = messages.shift()) {
      const claimed = await claimNextJob(deps, message);
      if (claimed !== undefined) return claimed;
    }
    return undefined;
  };

  return {
    /** Submits jobs of an owner now, all at once. */
    submit: async (ownerId: string, count: number, queue?: Job['queue']) => {
      const now = clock.now();
      const ids = Array.from({ length: count }, () => newJobId(now)).sort();
      const jobOf = (index: number) => ({
        ...create({ ownerId, jobId: ids[index] ?? '', request: jobRequest, urlSecret: '', now }).job,
        ...(queue === undefined ? {} : { queue }),
      });
      await putJobs(client, { tableName, count, jobOf });
      for (const jobId of ids) {
        messages.push({ ownerId, jobId });
        submitted.set(jobId, nowMs);
      }
    },
    /** Lets the next free worker claim a job; undefined if no job can be claimed any more. */
    startNext: async (): Promise<Start | undefined> => {
      for (;;) {
        const worker = pool.reduce((first, other) => (other.freeAt < first.freeAt ? other : first));
        nowMs = Math.max(nowMs, worker.freeAt);
        await end(worker);
        worker.job = await claim(worker);
        if (worker.job !== undefined) {
          worker.freeAt = nowMs + jobMs(worker.job.queue);
          const { ownerId, jobId, queue } = worker.job;
          return { ownerId, jobId, queue, submittedAt: submitted.get(jobId) ?? nowMs, startedAt: nowMs };
        }
        // All messages are received: the next one is sent when a job ends.
        const busy = pool.filter(({ job }) => job !== undefined);
        if (busy.length === 0) return undefined;
        worker.freeAt = Math.min(...busy.map(({ freeAt }) => freeAt)) + 1;
      }
    },
  };
}
