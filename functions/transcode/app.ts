import { JobError } from '../../core/errors.ts';
import { after } from '../../core/jobs/durations.ts';
import type { EndedJob, JobIn } from '../../core/jobs/job.ts';
import { outcomeOf } from '../../core/jobs/outcome.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { attemptPrefix } from '../../core/jobs/stored-file.ts';
import { complete, giveUp } from '../../core/jobs/transitions.ts';
import { type EndingPorts, endJob } from '../ending/end-job.ts';
import { wasCompletedBy } from '../ending/was-completed-by.ts';
import { sweepWork } from '../parts/sweep-work.ts';
import { claimJob } from './claim.ts';
import { keepLog, type LogPorts } from './keep-log.ts';
import { holdLease, type Lease } from './lease.ts';
import type { PlanPartsPorts } from './plan-parts.ts';
import { recording } from './recording.ts';
import { type StartPartsPorts, type StoredParts, startParts } from './start-parts.ts';
import type { StorePartsPorts } from './store-parts.ts';
import { type Produced, produceFiles, type WorkPorts } from './work.ts';

export type TranscodePorts = EndingPorts &
  WorkPorts &
  PlanPartsPorts &
  StorePartsPorts &
  StartPartsPorts &
  LogPorts & {
    /** How long finished files are kept before the bucket's lifecycle removes them, in milliseconds. */
    retentionMs: number;
    /** Told of an error that its owner only sees as `INTERNAL_ERROR`, and of files that could not be removed. */
    onUnexpected: (ref: JobRef, cause: unknown) => void;
  };

export type TranscodeResult = EndedJob['state'] | 'ignored' | 'lost' | 'handed-over';

type Work = Produced | { parts: StoredParts } | { error: unknown };

/**
 * Does a queued job's work and ends it, before `deadline`, or hands it over to be done in parts. A repeated message is
 * ignored; a job that is taken from this worker meanwhile is dropped, with what it wrote.
 */
export function transcode(ports: TranscodePorts): (ref: JobRef, deadline: Date) => Promise<TranscodeResult> {
  return async (ref, deadline) => {
    const claimed = await claimJob(ports, ref);
    if (claimed === undefined) return 'ignored';
    // Removed after the job's end is written: nobody should wait for that, and a finished job cannot fail by it.
    await using leftovers = new AsyncDisposableStack();
    const openWorkspace = async () => {
      const workspace = await ports.openWorkspace();
      leftovers.defer(() => workspace.remove().catch((cause) => ports.onUnexpected(claimed, cause)));
      return workspace;
    };
    const lease = holdLease(ports, claimed);
    const done = new AbortController();
    const signal = AbortSignal.any([lease.signal, timeOut(ports, deadline, done.signal)]);
    const { encoder, runs } = recording(ports.encoder);
    const context = { job: claimed, lease, signal, deadline };
    const work = await produceFiles({ ...ports, encoder, openWorkspace }, context).then(
      (done): Work => done,
      (error: unknown): Work => ({ error }),
    );
    done.abort();
    const job = await lease.release();
    // Before the end is written, so that whoever sees it finds the log.
    await keepLog(ports, job, runs).catch((cause) => ports.onUnexpected(job, cause));
    const state = lease.signal.aborted ? 'lost' : await finish(ports, job, work, lease);
    if (state === 'lost' || state === 'failed') await discard(ports, job);
    // An attempt before this one may have been in parts.
    else if (state !== 'handed-over' && job.attempt > 1) await sweepWork(ports, job);
    return state;
  };
}

async function finish(
  ports: TranscodePorts,
  job: JobIn<'processing'>,
  work: Work,
  lease: Lease,
): Promise<Exclude<TranscodeResult, 'ignored'>> {
  if ('parts' in work) return startParts(ports, job, work.parts);
  const until = new Date(job.dueAt);
  if ('files' in work) {
    const filesExpireAt = after(ports.clock.now(), ports.retentionMs);
    const result = { ...work, filesExpireAt };
    const ended = await endJob(ports, job, (ending) => complete(job, result, ending), { until });
    return ended.written || wasCompletedBy(job, ended.current) ? 'completed' : 'lost';
  }
  const outcome = outcomeOf(work.error, lease.stage());
  if (outcome.error.code === 'INTERNAL_ERROR') ports.onUnexpected(job, work.error);
  const { written } = await endJob(ports, job, (ending) => giveUp(job, outcome, ending), { until });
  return written ? outcome.state : 'lost';
}

/** Removes what this attempt wrote, and what was there for parts. Where that fails the sweep does it later. */
async function discard(ports: TranscodePorts, job: JobIn<'processing'>): Promise<void> {
  await ports.files
    .removeAll(attemptPrefix(job.jobId, job.attempt))
    .catch((cause) => ports.onUnexpected(job, cause));
  await sweepWork(ports, job);
}

/** Aborts the work as `TIMEOUT` at the deadline, so that the record says why before the platform ends the function. */
function timeOut({ clock }: TranscodePorts, deadline: Date, done: AbortSignal): AbortSignal {
  const expired = new AbortController();
  void clock.sleep(deadline.getTime() - clock.now().getTime(), done).then(() => {
    if (done.aborted) return;
    const message =
      'The job needs more time than one run of the worker has; use a faster preset or a shorter input.';
    expired.abort(new JobError('TIMEOUT', message, { retryable: false }));
  });
  return expired.signal;
}
