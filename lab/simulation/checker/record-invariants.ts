import { progressOf } from '../../../core/jobs/progress.ts';
import type { JobIn, JobRecord } from '../../../core/jobs/record.ts';
import { type JobHistory, lastRecord, terminalWrites } from './history.ts';
import { type Invariant, jobInvariant } from './invariant.ts';

/** The documented transitions: the states that may follow each state. A record may also keep its state. */
const followers: Record<string, readonly string[]> = {
  nothing: ['queued'],
  queued: ['processing', 'failed', 'cancelled'],
  processing: ['queued', 'completed', 'failed', 'rejected', 'cancelled'],
  completed: ['deleted'],
  failed: ['deleted'],
  rejected: ['deleted'],
  cancelled: ['deleted'],
  deleted: [],
};
const ends = ['completed', 'failed', 'rejected', 'cancelled', 'deleted'];
const maxAttempts = 3;

/** Recorded counts as accepted: a client without an answer may still wait for the webhook. */
export const everyJobEnds = jobInvariant('every accepted job ends', (job) => {
  const state = lastRecord(job)?.state ?? 'nothing';
  return (job.acceptedAt !== undefined || job.writes.length > 0) && !ends.includes(state)
    ? [`is ${state} for ever`]
    : [];
});

export const oneTerminalWrite = jobInvariant('each job has one terminal write', (job) =>
  terminalWrites(job).length > 1 ? [`ended ${terminalWrites(job).length} times`] : [],
);

export const terminalStateIsFinal = jobInvariant('a terminal state is final', ({ writes }) =>
  writes.flatMap(({ before, after }) =>
    before !== undefined && 'completedAt' in before && after.state !== 'deleted' && endOf(before) !== endOf(after)
      ? [`ended as ${endOf(before)} and was rewritten to ${endOf(after)}`]
      : [],
  ),
);

function endOf(job: JobRecord): string {
  return JSON.stringify([
    job.state,
    'completedAt' in job && job.completedAt,
    'files' in job && job.files,
    'error' in job && job.error,
  ]);
}

export const legalTransitions = jobInvariant('every transition is legal', ({ writes }) =>
  writes.flatMap(({ before, after }) => {
    const from = before?.state ?? 'nothing';
    const isLegal = from === after.state || followers[from]?.includes(after.state);
    return isLegal ? [] : [`went from ${from} to ${after.state}`];
  }),
);

/** The progress that readers see, chunk progress included. */
export const progressNeverFalls = jobInvariant('progress never falls', ({ writes, progressRecords }) =>
  [...writes, ...progressRecords].flatMap(({ before, after }) => {
    if (after.state === 'deleted') return [];
    const reached = before !== undefined && before.state !== 'deleted' ? progressOf(before) : 0;
    const progress = progressOf(after);
    const breaches = progress < reached ? [`fell from ${reached} to ${progress}`] : [];
    const isWhole = progress === 100;
    return isWhole === (after.state === 'completed')
      ? breaches
      : [...breaches, `is at ${progress} while ${after.state}`];
  }),
);

export const attemptsCountUp = jobInvariant('every claim starts a new attempt, at most three', ({ writes }) => {
  const counted = writes.map(({ before, after }) => ({
    isClaim: before?.state === 'queued' && after.state === 'processing',
    from: attemptOf(before),
    to: attemptOf(after),
  }));
  const claims = counted.filter(({ isClaim }) => isClaim);
  const failures = writes.map(({ after }) => (after.state === 'processing' ? countedAttemptsOf(after) : 0));
  const inOrder = claims.every(({ to }, index) => to === index + 1);
  const unchanged = counted.every(({ isClaim, from, to }) => isClaim || to === undefined || from === to);
  return inOrder && unchanged && Math.max(0, ...failures) <= maxAttempts
    ? []
    : [`went through attempts ${counted.map(({ to }) => to).join(', ')}`];
});

/** Neither those until a step was completed count, nor those that ended to wait under the limit or for the host of a source, nor those that were interrupted. */
function countedAttemptsOf(job: JobIn<'processing'>): number {
  const { attempt, completedSteps, hasWaitedForLimit, hostWaits = 0, interruptions = 0 } = job;
  return attempt - (completedSteps?.attempts ?? 0) - (hasWaitedForLimit ? 1 : 0) - hostWaits - interruptions;
}

export const oneWorkerWithoutFaults = jobInvariant('a job has one worker, without faults', (job, history) => {
  const record = lastRecord(job);
  const attempt = attemptOf(record) ?? 0;
  const isCalm = job.faults.length + history.faults.length === 0;
  const wanted = 1 + job.writes.filter(isRequeuedByWorker).length;
  return isCalm && attempt > wanted ? [`took ${attempt} workers instead of ${wanted}`] : [];
});

/** For a single pass, for the next step, for another worker, or to wait under the limit of long jobs. */
function isRequeuedByWorker({ before, after }: JobHistory['writes'][number]): boolean {
  if (before?.state !== 'processing' || after.state !== 'queued') return false;
  const isNextStep = after.completedSteps?.attempts === after.attempt;
  const isForOther = after.otherWorker?.name !== before.otherWorker?.name;
  const isForSinglePass = after.singlePassReason !== undefined;
  return isNextStep || isForOther || isForSinglePass || after.hasWaitedForLimit === true;
}

function attemptOf(record: JobRecord | undefined): number | undefined {
  if (record === undefined) return 0;
  return 'attempt' in record ? record.attempt : undefined;
}

const dayMs = 24 * 3_600_000;

export const noJobExpiresInQueue = jobInvariant('no job expires in the queue while workers exist', ({ writes }) =>
  writes.flatMap(({ at, before, after }) =>
    before?.state === 'queued' && after.state === 'failed' && at - Date.parse(before.queuedAt) >= dayMs
      ? ['was given up although workers were there']
      : [],
  ),
);

export const noDueAtAfterEnd = jobInvariant('no dueAt remains', (job) => {
  const dueAt = lastRecord(job)?.dueAt;
  return dueAt === undefined ? [] : [`is due since ${dueAt}, and nobody looks`];
});

export const oneJobPerKey: Invariant = {
  name: 'each idempotency key has one job',
  breaches: ({ accepted }) => {
    const jobs = new Map<string, string>();
    return accepted.flatMap(({ ownerId, jobId, key }) => {
      if (key === undefined) return [];
      const first = jobs.get(`${ownerId} ${key}`) ?? jobId;
      jobs.set(`${ownerId} ${key}`, first);
      return first === jobId ? [] : [`${key} of ${ownerId} got both ${first} and ${jobId}`];
    });
  },
};
