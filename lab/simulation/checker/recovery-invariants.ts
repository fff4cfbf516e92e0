import { durations } from '../../../core/jobs/durations.ts';
import { isEconomy } from '../../../core/jobs/job-queue.ts';
import type { History, JobHistory } from './history.ts';
import { type Invariant, jobInvariant } from './invariant.ts';

const maxMs = 120_000;
/** Faults that end or pause a whole run of reconcile: its remaining jobs wait for the next run. */
const endsRun = ['crash-before', 'crash-after', 'killed', 'timed-out', 'pause', 'slow'];
const deaths = ['crash-before', 'crash-after', 'killed', 'timed-out'];

export type Recovery = { jobId: string; milliseconds: number };

/**
 * The times that jobs were without a worker: from the death of the lease holder to the next claim or the job's end, or to
 * its position in the queue if workers are few.
 * Recoveries that a second fault delayed are left out.
 */
export function recoveriesOf(history: History): Recovery[] {
  const runs = lostRuns(history);
  const waitsForWorkers = history.jobs.length > history.workers;
  return history.jobs.flatMap((job) => recoveriesOfJob(job, { runs, waitsForWorkers }));
}

function lostRuns(history: History): JobHistory['faults'] {
  return history.faults
    .concat(...history.jobs.map(({ faults }) => faults))
    .filter(({ app, fault, effect }) => app === 'reconcile' && (endsRun.includes(fault) || effect === 'jobs.due'));
}

function recoveriesOfJob(
  job: JobHistory,
  { runs, waitsForWorkers }: { runs: JobHistory['faults']; waitsForWorkers: boolean },
): Recovery[] {
  return job.faults.flatMap((death) => {
    if (death.app !== 'transcode' || !deaths.includes(death.fault)) return [];
    const last = job.writes.findLast(({ at }) => at <= death.at);
    if (last?.after.state !== 'processing' || last.invocation !== death.invocation) return [];
    // The job was delegated to an execution, which continues.
    const { execution, delegation } = last.after;
    const delegatedTo = execution?.name ?? delegation?.execution;
    if (delegatedTo !== undefined && job.executions.some(({ name }) => name === delegatedTo)) return [];
    const waits = waitsForWorkers || last.after.queue === 'long';
    const rescue = job.writes.find(
      ({ at, before, after }) =>
        at > death.at &&
        (before?.state === 'queued' || (after.state === 'queued' && !waits)
          ? after.state !== 'queued'
          : after.state !== 'processing'),
    );
    if (rescue === undefined) return [];
    return recovery({ job, runs }, death, rescue);
  });
}

/** Empty if a second fault came in between. */
function recovery(
  { job, runs }: { job: JobHistory; runs: JobHistory['faults'] },
  loss: { at: number },
  rescue: { at: number },
): Recovery[] {
  const isBetween = ({ at }: { at: number }) => at > loss.at && at <= rescue.at;
  const isDisturbed = job.faults.some(isBetween) || runs.some(isBetween);
  return isDisturbed ? [] : [{ jobId: job.jobId, milliseconds: rescue.at - loss.at }];
}

export const lostWorkersAreReplaced: Invariant = {
  name: 'a killed worker is replaced within two minutes',
  breaches: (history) =>
    recoveriesOf(history)
      .filter(({ milliseconds }) => milliseconds > maxMs)
      .map(({ jobId, milliseconds }) => `job ${jobId} was without a worker for ${milliseconds / 1_000} s`),
};

/** The execution check after five minutes, the wait for the next run of reconcile, and latency. */
const noticedMs = 7 * 60_000;

export const failedExecutionsAreNoticed: Invariant = {
  name: 'a failed execution is noticed within seven minutes',
  breaches: (history) => {
    const runs = lostRuns(history);
    return history.jobs
      .flatMap((job) => noticesOfJob(job, runs))
      .filter(({ milliseconds }) => milliseconds > noticedMs)
      .map(({ jobId, milliseconds }) => `job ${jobId} was left to nobody for ${milliseconds / 1_000} s`);
  },
};

function noticesOfJob(job: JobHistory, runs: JobHistory['faults']): Recovery[] {
  return job.executions.flatMap((death) => {
    if (death.status !== 'failed') return [];
    const last = job.writes.findLast(({ at }) => at <= death.at)?.after;
    if (last?.state !== 'processing') return [];
    const { execution, delegation } = last;
    // A worker that has the job continues without its execution.
    const isLeft = delegation?.execution === death.name && delegation.hasStarted === undefined;
    if (execution?.name !== death.name && !isLeft) return [];
    const notice = job.writes.find(({ at, after }) => at > death.at && after.state !== 'processing');
    return notice === undefined ? [] : recovery({ job, runs }, death, notice);
  });
}

const taskApp = 'fargate-task';

export const otherWorkersAreReplaced: Invariant = {
  name: 'the job of a killed Fargate task is requeued or ends within seven minutes',
  breaches: (history) => {
    const runs = lostRuns(history);
    return history.jobs
      .flatMap((job) => lossesOf(taskApp, job, runs))
      .filter(({ milliseconds }) => milliseconds > noticedMs)
      .map(({ jobId, milliseconds }) => `job ${jobId} was without a task for ${milliseconds / 1_000} s`);
  },
};

function lossesOf(app: string, job: JobHistory, runs: JobHistory['faults']): Recovery[] {
  return job.faults.flatMap((death) => {
    if (death.app !== app || !deaths.includes(death.fault)) return [];
    const last = job.writes.findLast(({ at }) => at <= death.at);
    if (last?.after.state !== 'processing' || last.invocation !== death.invocation) return [];
    const notice = job.writes.find(({ at, after }) => at > death.at && after.state !== 'processing');
    return notice === undefined ? [] : recovery({ job, runs }, death, notice);
  });
}

export const oneOtherWorkerTakesOver = jobInvariant(
  'a Fargate task takes no job over that another one has',
  ({ writes }) =>
    writes.flatMap(({ app, before, after }) => {
      if (app !== taskApp || before?.state !== 'processing' || after.state !== 'processing') return [];
      const isTakeover = before.claimedAt !== after.claimedAt;
      return isTakeover && before.delegation?.hasStarted ? ['was taken from a running worker'] : [];
    }),
);

/** Another worker than the one that the plan chose may be needed: its expected time is an estimate. */
export const jobsThatTakeLongerGoOn = jobInvariant(
  'a job that takes longer than a function has goes on in a Fargate task, without faults',
  (job, history) => {
    if (job.faults.length + history.faults.length > 0) return [];
    return job.writes.flatMap(({ before, after }) => {
      if (before?.state !== 'processing' || after.state !== 'failed') return [];
      const isLeft = after.error.code === 'TIMEOUT' && before.delegation === undefined;
      return isLeft ? ['ran out of time in transcode'] : [];
    });
  },
);

const takenUpWithinMs = 60_000;

/** The API accepts a job whose message was not sent: reconcile sends it at its first run after the job's `dueAt`. */
const unsent = ['fail', 'outage'];
const reconcileIntervalMs = 60_000;
const resentWithinMs = durations.resendAfterMs + reconcileIntervalMs + 5_000;

export const acceptedJobsAreClaimed = jobInvariant(
  'an accepted job is claimed within a minute, or two if its message was not sent, without later faults',
  ({ ownerId, acceptedAt, writes, ...job }, history) => {
    // A job over its owner's limit waits for the recovery of those that hold the entries.
    const faults = history.limitedOwners.has(ownerId)
      ? history.jobs.filter((other) => other.ownerId === ownerId).flatMap((other) => other.faults)
      : job.faults;
    const taken = writes.find(({ before }) => before?.state === 'queued');
    // After a failed worker its message is invisible for minutes, even if it came before the client's answer.
    const isHidden = faults.some(({ app }) => app === 'transcode');
    const isCalm = acceptedAt !== undefined && [...faults, ...history.faults].every(({ at }) => at < acceptedAt);
    const waitsForOthers = history.jobs.length > history.workers;
    if (!isCalm || isHidden || waitsForOthers || isForPool(writes)) return [];
    const isUnsent = faults.some(({ effect, fault }) => effect === 'queue.send' && unsent.includes(fault));
    const waitedMs = (taken?.at ?? Number.POSITIVE_INFINITY) - acceptedAt;
    const isLate = waitedMs > (isUnsent ? resentWithinMs : takenUpWithinMs);
    return isLate ? [`waited ${waitedMs / 1_000} s for a worker`] : [];
  },
);

/** An economy job may wait. */
function isForPool([first]: JobHistory['writes']): boolean {
  return first?.after.state === 'queued' && isEconomy(first.after);
}

/** Two heartbeats, and the latency of a request. */
const noticedWithinMs = 10_000;

export const cancelledWorkersStop = jobInvariant('a worker stops once its job has ended', (job, history) => {
  const [end] = job.writes.filter(({ after }) => 'completedAt' in after);
  if (end === undefined) return [];
  const isLate = ({ at }: { at: number }) => at > end.at + noticedWithinMs;
  const isHit = ({ invocation }: { invocation: number }) => history.faultyInvocations.has(invocation);
  const isCalm = job.faults.length === 0 && !job.writes.some(isHit);
  const writes = job.objects.filter((object) => object.kind === 'object-stored' && isLate(object) && isCalm);
  const runs = job.encoded.filter((run) => isLate(run) && !isHit(run));
  return [
    ...writes.map(({ key }) => `wrote ${key} long after its end`),
    ...runs.map(({ app, at }) => `${app} encoded until ${at - end.at} ms after its end`),
  ];
});

/** A run may write again what it has postponed itself. */
export const reconcileTouchesOnlyDueJobs = jobInvariant('reconcile changes no job before its dueAt', ({ writes }) =>
  writes.flatMap(({ at, app, invocation, before, after }, index) => {
    const hasPostponed = writes
      .slice(0, index)
      .some((earlier) => earlier.app === 'reconcile' && earlier.invocation === invocation);
    const isEarly = app === 'reconcile' && !hasPostponed && !(Date.parse(before?.dueAt ?? '') <= at);
    return isEarly ? [`was made ${after.state} at ${new Date(at).toISOString()}, due ${before?.dueAt}`] : [];
  }),
);
