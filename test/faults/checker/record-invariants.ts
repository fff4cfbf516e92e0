import { progressOf } from '../../../core/jobs/progress-of.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import { type JobHistory, lastRecord, terminalWrites } from './history.ts';
import { type Invariant, jobInvariant } from './invariant.ts';

/** From which state which states can follow, as docs and API promise it; a record may also stay what it is. */
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
const mostAttempts = 3;

/** Accepted or just recorded: a client that got no answer may still be waiting for the webhook. */
export const everyJobEnds = jobInvariant('every accepted job ends', (job) => {
  const state = lastRecord(job)?.state ?? 'nothing';
  return (job.acceptedAt !== undefined || job.writes.length > 0) && !ends.includes(state)
    ? [`is ${state} for ever`]
    : [];
});

export const oneTerminalWrite = jobInvariant('one terminal write per job', (job) =>
  terminalWrites(job).length > 1 ? [`ended ${terminalWrites(job).length} times`] : [],
);

export const terminalStateIsFinal = jobInvariant('an end stays what it was', ({ writes }) =>
  writes.flatMap(({ before, after }) =>
    before !== undefined &&
    'completedAt' in before &&
    after.state !== 'deleted' &&
    endOf(before) !== endOf(after)
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

export const legalTransitions = jobInvariant('only legal transitions', ({ writes }) =>
  writes.flatMap(({ before, after }) => {
    const from = before?.state ?? 'nothing';
    const isLegal = from === after.state || followers[from]?.includes(after.state);
    return isLegal ? [] : [`went from ${from} to ${after.state}`];
  }),
);

/** As readers see it, who see what parts have noted. */
export const progressNeverFalls = jobInvariant('progress never falls', ({ writes, notes }) =>
  [...writes, ...notes].flatMap(({ before, after }) => {
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

export const attemptsCountUp = jobInvariant(
  'every claim is an attempt of its own, at most three',
  ({ writes }) => {
    const counted = writes.map(({ before, after }) => ({
      isClaim: before?.state === 'queued' && after.state === 'processing',
      from: attemptOf(before),
      to: attemptOf(after),
    }));
    const claims = counted.filter(({ isClaim }) => isClaim);
    const inOrder = claims.every(({ to }, index) => to === index + 1);
    const unchanged = counted.every(({ isClaim, from, to }) => isClaim || to === undefined || from === to);
    return inOrder && unchanged && claims.length <= mostAttempts
      ? []
      : [`went through attempts ${counted.map(({ to }) => to).join(', ')}`];
  },
);

export const oneWorkerWithoutFaults = jobInvariant(
  'a job has one worker, where nothing fails',
  (job, history) => {
    const record = lastRecord(job);
    const attempt = attemptOf(record) ?? 0;
    const isCalm = job.faults.length + history.faults.length === 0;
    const wanted = 1 + job.writes.filter(goesBackToOnePiece).length;
    return isCalm && attempt > wanted ? [`took ${attempt} workers instead of ${wanted}`] : [];
  },
);

function goesBackToOnePiece({ before, after }: JobHistory['writes'][number]): boolean {
  return before?.state === 'processing' && after.state === 'queued' && after.singlePassReason !== undefined;
}

function attemptOf(record: JobRecord | undefined): number | undefined {
  if (record === undefined) return 0;
  return 'attempt' in record ? record.attempt : undefined;
}

const dayMs = 24 * 3_600_000;

export const noJobExpiresInQueue = jobInvariant('no job waits in vain for a day', ({ writes }) =>
  writes.flatMap(({ at, before, after }) =>
    before?.state === 'queued' && after.state === 'failed' && at - Date.parse(before.queuedAt) >= dayMs
      ? ['was given up although workers were there']
      : [],
  ),
);

export const noDueAtAfterEnd = jobInvariant('nothing is left due', (job) => {
  const dueAt = lastRecord(job)?.dueAt;
  return dueAt === undefined ? [] : [`is due since ${dueAt}, and nobody looks`];
});

export const oneJobPerKey: Invariant = {
  name: 'one job per idempotency key',
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
