import type { History, JobHistory } from './history.ts';
import { type Invariant, ofEachJob } from './invariant.ts';

const mostMs = 120_000;
/** Faults that end or stop a whole run of reconcile, so that every job it had not come to waits for the next. */
const endsRun = ['crash-before', 'crash-after', 'killed', 'timed-out', 'pause', 'slow'];
const deaths = ['crash-before', 'crash-after', 'killed', 'timed-out'];

export type Recovery = { jobId: string; milliseconds: number };

/**
 * How long jobs were without a worker: from the death of one that held the lease until the next has claimed the job or
 * it has ended. Where a second fault hits the recovery itself the time says nothing about the first, so that it is
 * left out.
 */
export function recoveriesOf(history: History): Recovery[] {
  const runs = history.faults
    .concat(...history.jobs.map(({ faults }) => faults))
    .filter(
      ({ app, fault, effect }) => app === 'reconcile' && (endsRun.includes(fault) || effect === 'jobs.due'),
    );
  return history.jobs.flatMap((job) => recoveriesOfJob(job, runs));
}

function recoveriesOfJob(job: JobHistory, runs: JobHistory['faults']): Recovery[] {
  return job.faults.flatMap((death) => {
    if (death.app !== 'transcode' || !deaths.includes(death.fault)) return [];
    const last = job.writes.findLast(({ at }) => at <= death.at);
    if (last?.after.state !== 'processing' || last.invocation !== death.invocation) return [];
    const rescue = job.writes.find(
      ({ at, before, after }) =>
        at > death.at &&
        (before?.state === 'queued'
          ? after.state !== 'queued'
          : after.state !== 'queued' && after.state !== 'processing'),
    );
    if (rescue === undefined) return [];
    const isBetween = ({ at }: { at: number }) => at > death.at && at <= rescue.at;
    const isDisturbed = job.faults.some(isBetween) || runs.some(isBetween);
    return isDisturbed ? [] : [{ jobId: job.jobId, milliseconds: rescue.at - death.at }];
  });
}

export const lostWorkersAreReplaced: Invariant = {
  name: 'a killed worker is replaced within two minutes',
  breaches: (history) =>
    recoveriesOf(history)
      .filter(({ milliseconds }) => milliseconds > mostMs)
      .map(({ jobId, milliseconds }) => `job ${jobId} was without a worker for ${milliseconds / 1_000} s`),
};

const takenUpWithinMs = 60_000;

export const acceptedJobsAreTakenUp = ofEachJob(
  'an accepted job is taken up within a minute, where nothing fails from then on',
  ({ acceptedAt, writes, faults }, history) => {
    const taken = writes.find(({ before }) => before?.state === 'queued');
    // A message that failed a worker is hidden for minutes, also where it came before the client's answer.
    const isHidden = faults.some(({ app }) => app === 'transcode');
    const isCalm =
      acceptedAt !== undefined && [...faults, ...history.faults].every(({ at }) => at < acceptedAt);
    if (!isCalm || isHidden) return [];
    const waitedMs = (taken?.at ?? Number.POSITIVE_INFINITY) - acceptedAt;
    return waitedMs > takenUpWithinMs ? [`waited ${waitedMs / 1_000} s for a worker`] : [];
  },
);

/** Two heartbeats, and what a request may take on its way. */
const noticedWithinMs = 10_000;

export const cancelledWorkersStop = ofEachJob('a worker stops once its job is over', (job) => {
  const [end] = job.writes.filter(({ after }) => 'completedAt' in after);
  return job.objects.flatMap(({ kind, key, at }) =>
    end !== undefined && kind === 'object-stored' && at > end.at + noticedWithinMs && job.faults.length === 0
      ? [`wrote ${key} long after its end`]
      : [],
  );
});

export const onlyWhatIsDue = ofEachJob('reconcile takes nothing up before it is due', ({ writes }) =>
  writes.flatMap(({ at, app, before, after }) => {
    const isEarly = app === 'reconcile' && !(Date.parse(before?.dueAt ?? '') <= at);
    return isEarly ? [`was made ${after.state} at ${new Date(at).toISOString()}, due ${before?.dueAt}`] : [];
  }),
);
