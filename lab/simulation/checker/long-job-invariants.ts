import { maxShortSeconds, workersOfLongJobs } from '../../../core/jobs/queues.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import { parseInputUrl } from '../world/media-origin.ts';
import type { History } from './history.ts';
import { type Invariant, jobInvariant } from './invariant.ts';

/** The state of the stage between two writes. */
type Moment = {
  from: number;
  until: number;
  /** Jobs that hold a worker, with the time of their claim. */
  working: ReadonlyMap<string, { claimedAt: number; isLong: boolean }>;
  /** Long jobs that wait under the limit, and since when. */
  waiting: ReadonlyMap<string, number>;
  /** Whether another job waits. */
  shortWaits: boolean;
};

/** Replays the writes of records. */
function* momentsOf({ running }: History): Generator<Moment> {
  const working = new Map<string, { claimedAt: number; isLong: boolean }>();
  const waiting = new Map<string, number>();
  const short = new Set<string>();
  const writes = running.flatMap((entry) => (entry.kind === 'written' ? [entry] : []));
  for (const [index, { after, at }] of writes.entries()) {
    const { jobId } = after;
    if (holdsWorker(after)) {
      working.set(jobId, { claimedAt: Date.parse(after.claimedAt), isLong: after.queue === 'long' });
    } else working.delete(jobId);
    if (after.state !== 'queued' || after.queue !== 'long') waiting.delete(jobId);
    else if (!waiting.has(jobId)) waiting.set(jobId, at);
    if (after.state === 'queued' && after.queue === undefined) short.add(jobId);
    else short.delete(jobId);
    const until = writes[index + 1]?.at ?? at;
    yield { from: at, until, working, waiting, shortWaits: short.size > 0 };
  }
}

function holdsWorker(job: JobRecord): job is Extract<JobRecord, { state: 'processing' }> {
  return job.state === 'processing' && (job.execution ?? job.delegation ?? job.pool) === undefined;
}

function longWorking({ working }: Moment): number {
  return [...working.values()].filter(({ isLong }) => isLong).length;
}

export const longJobsKeepTheLimit: Invariant = {
  name: 'no more long jobs hold a worker than may run',
  breaches: (history) => {
    const max = workersOfLongJobs(history.workers, { shortWaits: false });
    return collect(history, (moment) => {
      const count = longWorking(moment);
      return count > max ? `${count} long jobs had a worker, of ${max}` : undefined;
    });
  },
};

/** A download and a probe, with some faults. */
const probeMs = 30_000;

export const foreseenLongJobsEnterTheLimit = jobInvariant(
  'a job that its probe shows to be long counts under the limit, without faults',
  ({ writes, faults }) => {
    const isHeld = ({ after }: (typeof writes)[number]) => holdsWorker(after) && after.queue === undefined;
    if (faults.length > 0) return [];
    return writes.flatMap((write, index) => {
      if (!isHeld(write) || !('request' in write.after)) return [];
      const { kind } = parseInputUrl(write.after.request.input?.url ?? '');
      const next = writes.slice(index + 1).find((later) => !isHeld(later));
      const heldMs = (next?.at ?? write.at) - Date.parse(write.after.claimedAt ?? '');
      return kind === 'lengthy' && heldMs > probeMs ? [`held a worker for ${heldMs / 1_000} s`] : [];
    });
  },
);

/** The tries of a table that fails, and a paused worker. */
const marginMs = 60_000;

export const shortJobsAreShort: Invariant = {
  name: 'no more jobs hold a worker for over two minutes than may run',
  breaches: (history) => {
    const max = workersOfLongJobs(history.workers, { shortWaits: false });
    const isOverdue = ({ claimedAt }: { claimedAt: number }, at: number) =>
      at - claimedAt > maxShortSeconds * 1_000 + marginMs;
    return collect(history, ({ until, working }) => {
      const overdue = [...working.values()].filter((job) => isOverdue(job, until)).length;
      return overdue > max ? `${overdue} jobs had a worker for over two minutes, of ${max}` : undefined;
    });
  },
};

export const longJobsNeedNoSecondProbe = jobInvariant(
  'a job that is known to be long is not requeued for the limit again',
  ({ writes }) =>
    writes.flatMap(({ app, before, after }) =>
      app === 'transcode' && before?.state === 'processing' && before.queue === 'long' && after.state === 'queued'
        ? ['was requeued although it counted under the limit']
        : [],
    ),
);

/** A message that comes once the index lists the job, and a claim. */
const maxWaitMs = 60_000;

export const roomForLongJobsIsUsed: Invariant = {
  name: 'a long job is claimed within a minute once the limit has room and a worker is free, without faults',
  breaches: (history) => {
    const isCalm = [history, ...history.jobs].every(({ faults }) => faults.length === 0);
    if (!isCalm) return [];
    let freeSince = Number.POSITIVE_INFINITY;
    return collect(history, (moment) => {
      const isFree =
        longWorking(moment) < workersOfLongJobs(history.workers, moment) && moment.working.size < history.workers;
      freeSince = isFree ? Math.min(freeSince, moment.from) : Number.POSITIVE_INFINITY;
      for (const [jobId, since] of moment.waiting) {
        if (moment.until - Math.max(since, freeSince) > maxWaitMs)
          return `${jobId} waited below the limit of long jobs`;
      }
      return undefined;
    });
  },
};

function collect(history: History, breachOf: (moment: Moment) => string | undefined): string[] {
  const found = new Set<string>();
  for (const moment of momentsOf(history)) {
    const breach = breachOf(moment);
    if (breach !== undefined) found.add(breach);
  }
  return [...found];
}
