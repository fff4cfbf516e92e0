import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import type { ChunkedWork } from '@media-jobs/video/chunking';
import { aChunkedWork, aVideoEncoding } from '@media-jobs/video/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChunkedExecutionInput } from '../../../core/jobs/chunked-ports.ts';
import { messageGroup } from '../../../core/jobs/message-groups.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import type { RunningEntry } from '../../../core/jobs/running-limit.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { heartbeat } from '../../../core/jobs/transitions.ts';
import { delegateToChunks } from '../../../functions/transcode/delegate-job.ts';
import { type MemoryJobTable, memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { type ClaimingPorts, withPorts, workerPorts } from '../../builders/jobs/worker-ports.ts';

const job = aProcessingJob();
const work: ChunkedWork = aChunkedWork();
const planKey = `work/${job.jobId}/abc/plan.json`;
const name = `${job.jobId}-1`;
const ending = { now: later(9_000), webhookTarget: null, deliveryId: 'delivery-1' };

let jobs: MemoryJobTable;
let happened: string[];
let ports: ClaimingPorts;

beforeEach(async () => {
  happened = [];
  jobs = memoryJobTable({
    onWritten: ({ job: written }) => {
      if (written.state !== 'processing' || !written.execution) return;
      happened.push(written.chunkProgress ? 'left' : 'named');
    },
  });
  await jobs.write({ guard: { absent: true }, job });
  ports = workerPorts({
    jobs,
    parallel: { start: async () => void happened.push('started') },
    clock: aVirtualClock(later(10_000)),
  });
});

const stored = () => jobs.get(job) as Promise<JobIn<'processing'>>;

it('a worker records the execution, starts it and then delegates the job to it', async () => {
  expect(await delegateToChunks(ports, job, { work, planKey })).toBe('delegated');
  expect(happened).toEqual(['named', 'started', 'left']);
  expect(await stored()).toMatchObject({
    state: 'processing',
    stage: 'transcoding',
    leaseId: job.leaseId,
    // Two chunks, the audio and the join.
    execution: { name, taskCount: 4 },
    chunkProgress: {},
    dueAt: later(310_000).toISOString(),
  });
});

it('an execution starts with the lease, the key of the plan and the task numbers, audio first, in the message groups of its owner', async () => {
  const started: unknown[] = [];
  const start = async (execution: unknown) => void started.push(execution);
  await delegateToChunks({ ...ports, parallel: { start } }, job, { work, planKey });
  const { ownerId, jobId, leaseId } = job;
  const [first, second] = [0, 1].map((index) => messageGroup(job, index, 2));
  const chunks = [2, 1, 0].map((chunk, index) => ({ chunk, group: index === 1 ? second : first }));
  expect(new Set([first, second])).toEqual(new Set([`${ownerId}#0`, `${ownerId}#1`]));
  expect(started).toEqual([{ name, input: { ownerId, jobId, leaseId, planKey, first: [], chunks, group: ownerId } }]);
});

it('an execution begins with what the chunks of a file of a given size depend on: measurements and audio', async () => {
  const started: { input: ChunkedExecutionInput }[] = [];
  const start = async (execution: { input: ChunkedExecutionInput }) => void started.push(execution);
  const encoding = aVideoEncoding({ quality: { bitrateKbps: 800, fileBytes: 12_000_000 } });
  await delegateToChunks({ ...ports, parallel: { start } }, job, { work: { ...work, encoding }, planKey });
  const numbersOf = (tasks: ChunkedExecutionInput['first'] = []) => tasks.map(({ chunk }) => chunk);
  expect(numbersOf(started[0]?.input.first)).toEqual([4, 3, 2]);
  expect(numbersOf(started[0]?.input.chunks)).toEqual([1, 0]);
  expect((await stored()).execution?.taskCount).toBe(6);
});

it('no execution starts for a job that was cancelled meanwhile', async () => {
  await jobs.write(cancel(job, ending));
  expect(await delegateToChunks(ports, job, { work, planKey })).toBe('lost');
  expect(happened).toEqual([]);
});

it('a heartbeat whose answer was lost does not keep the execution from starting', async () => {
  const beat = heartbeat(job, { stage: 'probing', progress: 10, now: later(8_000) });
  await jobs.write(beat);
  expect(await delegateToChunks(ports, { ...job, progress: 10 }, { work, planKey })).toBe('delegated');
  expect(happened).toEqual(['named', 'started', 'left']);
  expect((await stored()).progress).toBe(10);
});

it('the start is retried until the lease ends', async () => {
  let tries = 0;
  const start = async () => {
    tries += 1;
    if (tries < 5) throw new Error('Step Functions does not answer');
  };
  expect(await delegateToChunks({ ...ports, parallel: { start } }, job, { work, planKey })).toBe('delegated');
  expect(happened).toEqual(['named', 'left']);
});

describe('after a failure the lease of the job ends soon', () => {
  it('if the execution could not be recorded', async () => {
    const write = () => Promise.reject(new Error('The table does not answer'));
    await expect(delegateToChunks({ ...ports, jobs: { ...jobs, write } }, job, { work, planKey })).rejects.toThrow();
    expect([happened, (await stored()).dueAt]).toEqual([[], job.dueAt]);
  });

  it('if the execution could not be started', async () => {
    const start = () => Promise.reject(new Error('Step Functions does not answer'));
    await expect(delegateToChunks({ ...ports, parallel: { start } }, job, { work, planKey })).rejects.toThrow();
    expect(happened).toEqual(['named']);
    expect(await stored()).toMatchObject({ execution: { name }, dueAt: later(50_000).toISOString() });
  });

  it('if the job could not be delegated to the running execution', async () => {
    let writes = 0;
    const write: MemoryJobTable['write'] = async (change) => {
      writes += 1;
      if (writes === 2) throw new Error('The table does not answer');
      return jobs.write(change);
    };
    const released: RunningEntry[] = [];
    const running = { ...ports.queue.running, releaseWorker: async (entry: RunningEntry) => void released.push(entry) };
    await expect(
      delegateToChunks(withPorts(ports, { queue: { running }, jobs: { ...jobs, write } }), job, { work, planKey }),
    ).rejects.toThrow();
    expect(happened).toEqual(['named', 'started']);
    expect(await stored()).toMatchObject({ execution: { name }, dueAt: later(50_000).toISOString() });
    expect(released).toEqual([{ ownerId: job.ownerId, jobId: job.jobId, attempt: 1 }]);
  });
});

it('the delegation overwrites no change that the execution made meanwhile', async () => {
  const start = async () => void (await jobs.write(cancel(await stored(), ending)));
  expect(await delegateToChunks({ ...ports, parallel: { start } }, job, { work, planKey })).toBe('delegated');
  expect(await jobs.get(job)).toMatchObject({ state: 'cancelled' });
});
