import { isEconomy } from '../../../core/jobs/job-queue.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { chunkDefects } from '../../../functions/join-chunks/chunk-results.ts';
import type { MediaOrigin } from '../world/media-origin.ts';
import { maxRunningChunks } from '../world/owner-limits.ts';
import { type JobHistory, terminalWrites } from './history.ts';
import { type Invariant, jobInvariant } from './invariant.ts';

/** The time that a cancel may take from its write to the end of the execution. */
const stoppedWithinMs = 1_000;

export const noCallsAfterJobEnd = jobInvariant(
  'an execution sends no task after its job has ended, without faults',
  (job) => {
    const [end] = terminalWrites(job);
    if (end === undefined || job.faults.length > 0) return [];
    return job.calls
      .filter(({ at }) => at > end.at + stoppedWithinMs)
      .map(({ called, at }) => `${called} got a task ${at - end.at} ms after the end`);
  },
);

/** Two polls of the job, and the calls after them. */
const overWithinMs = 10_000;

/** The execution that the record names. */
function executionOf({ execution, delegation }: JobIn<'processing'>): string | undefined {
  return execution?.name ?? delegation?.execution;
}

export const recordedBeforeStarted = jobInvariant('an execution is recorded in its job before it is started', (job) =>
  job.executions.flatMap(({ status, name, at }) => {
    const isNamed = job.writes.some(
      (write) => write.at <= at && write.after.state === 'processing' && executionOf(write.after) === name,
    );
    return status === 'started' && !isNamed ? [`${name} was started, and no record tells of it`] : [];
  }),
);

export const executionsEnd = jobInvariant('an execution ends, and without faults soon after its job', (job) => {
  const [end] = terminalWrites(job);
  return job.executions.flatMap(({ status, name }) => {
    if (status !== 'started') return [];
    const ended = job.executions.find((other) => other.name === name && other.status !== 'started');
    if (ended === undefined) return [`${name} never ended`];
    const isLate = end !== undefined && job.faults.length === 0 && ended.at > end.at + overWithinMs;
    return isLate ? [`${name} ended ${ended.at - end.at} ms after its job`] : [];
  });
});

export const ownersStayWithinChunkLimit: Invariant = {
  name: 'an owner has no more chunk tasks in flight than its limit, and none at the end',
  breaches: ({ jobs }) => {
    const inFlight = new Map<string, number>();
    const breaches: string[] = [];
    const tasks = jobs.flatMap((job) => job.tasks).filter(({ queue }) => queue === 'encode-chunk');
    // Of the entries of one moment, the releases come first.
    const order = (status: string) => (status === 'released' ? 0 : 1);
    tasks.sort((one, other) => one.at - other.at || order(one.status) - order(other.status));
    for (const { ownerId, status } of tasks) {
      const count = (inFlight.get(ownerId) ?? 0) + (status === 'delivered' ? 1 : -1);
      inFlight.set(ownerId, count);
      if (count > maxRunningChunks) breaches.push(`owner ${ownerId} has ${count} chunk tasks in flight`);
    }
    for (const [ownerId, count] of inFlight) {
      if (count !== 0) breaches.push(`owner ${ownerId} has ${count} chunk tasks in flight at the end`);
    }
    return breaches;
  },
};

export const nothingLeftRunning: Invariant = {
  name: 'a function that has returned leaves no work running',
  breaches: ({ jobs, leftRunning }) =>
    [leftRunning, ...jobs.map((job) => job.leftRunning)]
      .flat()
      .map(({ app, invocation }) => `${app} ${invocation} ended while something in it waited to go on`),
};

export const chunkFilesExist = jobInvariant('the files of a finished chunk exist', ({ writes }) =>
  writes.flatMap(({ after }) => {
    const reason = after.state === 'queued' ? after.singlePassReason : undefined;
    return Object.values(chunkDefects).some((defect) => reason?.includes(defect))
      ? [`requeued for a single pass: ${reason}`]
      : [];
  }),
);

export const workersWriteOnlyOwnAttempt = jobInvariant(
  'chunk tasks and their join write only to their own attempt',
  ({ writes }) =>
    writes.flatMap(({ app, before, after }) => {
      const isTheirs = before?.state === 'processing' && before.execution !== undefined;
      const isChunkFunction = app === 'join-chunks' || app === 'encode-chunk';
      return isChunkFunction && !isTheirs ? [`${app} made a job ${after.state} that was none of an execution`] : [];
    }),
);

export const chunksAreEncodedOnce = jobInvariant('a finished chunk is not encoded again', (job) =>
  job.encoded.flatMap(({ app, invocation, made, begunAt }) => {
    const isHit = job.faults.some((fault) => fault.invocation === invocation);
    if (app !== 'encode-chunk' || isHit) return [];
    const folder = planFolderAt(job, begunAt);
    const found = job.objects.find(
      (object) => object.kind === 'object-stored' && object.key.startsWith(folder) && isSame(object.made, made),
    );
    // `<chunk>-<run>-<rendition>` is the file; `<chunk>.json` exists once the chunk is finished.
    const result = found?.key.replace(/(\/\d+)-[^/]+$/, '$1.json');
    const isFinished = job.objects.some(
      ({ kind, key, at }) => kind === 'object-stored' && key === result && at < begunAt - onItsWayMs,
    );
    return isFinished ? [`encoded ${found?.key} once more`] : [];
  }),
);

/** The folder of the plan whose chunks are encoded at a time. Chunks of two outputs of one input have the same origin. */
function planFolderAt({ objects }: JobHistory, time: number): string {
  const plan = objects.findLast(
    ({ kind, key, at }) => kind === 'object-stored' && key.endsWith('/plan.json') && at <= time,
  );
  return plan?.key.slice(0, plan.key.lastIndexOf('/') + 1) ?? '';
}

/** The time between the check for a result and the start of the encoder. */
const onItsWayMs = 30_000;

function isSame(one: MediaOrigin, other: MediaOrigin): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Two polls of the job, and the latency of a request. */
const removedWithinMs = 10_000;

export const chunkFilesAreRemoved = jobInvariant('work files are removed soon after the end, without faults', (job) => {
  const [end] = terminalWrites(job);
  if (end === undefined || job.faults.length > 0) return [];
  const from = firstTaskFrom(job, end.at);
  const late = job.objects.filter(
    ({ kind, key, at }) =>
      kind === 'object-removed' &&
      key.startsWith('work/') &&
      // These stay until nothing can be left at the storage provider.
      !key.includes('/publications/') &&
      at > from + removedWithinMs,
  );
  return late.map(({ key, at }) => `left ${key} for ${(at - from) / 1_000} s`);
});

/** The time, or the first delivery after it if no task of the job is running then: tasks wait for those of other jobs. */
function firstTaskFrom({ tasks }: JobHistory, time: number): number {
  const running = tasks
    .filter(({ at }) => at <= time)
    .reduce((count, { status }) => count + (status === 'delivered' ? 1 : -1), 0);
  const next = tasks.find(({ at, status }) => at > time && status === 'delivered');
  return running > 0 || next === undefined ? time : next.at;
}

const takenUpWithinMs = 60_000;

export const requeuedJobsAreClaimed = jobInvariant(
  'a requeued job is claimed within a minute, without faults',
  ({ writes, faults }) =>
    faults.length > 0
      ? []
      : writes.flatMap(({ at, before, after }) => {
          if (before?.state !== 'processing' || after.state !== 'queued') return [];
          if (after.hasWaitedForLimit || isEconomy(after)) return [];
          const next = writes.find((write) => write.at > at && write.before?.state === 'queued')?.at;
          const isLate = next === undefined || next > at + takenUpWithinMs;
          return isLate ? [`waited from ${at} to ${next}`] : [];
        }),
);
