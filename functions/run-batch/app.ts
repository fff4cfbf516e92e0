import { JobError } from '@media-jobs/video/errors';
import { mapConcurrent } from '../../core/async.ts';
import {
  type Batch,
  type BatchEstimate,
  type BatchStep,
  type BatchTable,
  isOpen,
  type LineFailure,
  maxListedObjects,
  maxManifestLines,
  roomOf,
  stepWithinMs,
} from '../../core/batches/batch.ts';
import { AppError, apiErrors } from '../../core/errors.ts';
import { addMs } from '../../core/jobs/durations.ts';
import type { JobTable } from '../../core/jobs/ports.ts';
import { isTerminal, type Job, type JobRecord } from '../../core/jobs/record.ts';
import { asUnreadable, UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import { usageOf } from '../../core/jobs/usage.ts';
import { type SubmitLinesDeps, submitLines } from './submit-lines.ts';

export type RunBatchDeps = FollowJobsDeps &
  SubmitLinesDeps & {
    batches: Pick<BatchTable, 'get' | 'write'>;
    /** Copies the manifest to the media bucket, and counts its lines. Throws JobError. */
    copyManifest: (batch: Batch) => Promise<{ bytes: number; lines: number }>;
    /** Stores the objects of a backfill as its manifest. Throws JobError, or AppError. */
    listObjects: (batch: Batch) => Promise<{ bytes: number; lines: number; estimate: BatchEstimate }>;
    /** Stores the report with further lines under a new key, and returns that. */
    appendReport: (batch: Batch, failures: readonly LineFailure[]) => Promise<string>;
  };

/** The state of an execution after a step. */
export type StepResult = BatchStep & { status: 'wait' | 'done' };

/** An execution has at most 25,000 events in its history, about ten for each step. Reconcile starts the next one. */
const maxSteps = 1_000;

const maxWaitSeconds = 60;

/**
 * Takes the next step of a batch: counts the jobs that have ended, submits further lines, and writes the batch. Everything
 * before the write can be repeated: a line whose job exists finds it. So a step that was interrupted, or came too late, changes
 * nothing. No line is begun after `until`.
 */
export function runBatch(deps: RunBatchDeps): (step: BatchStep, until: Date) => Promise<StepResult> {
  return async (step, until) => {
    const batch = await deps.batches.get(step);
    const done = { ...step, status: 'done' as const };
    // Another execution has taken over, or all is done.
    if (batch === undefined || batch.starts !== step.start || batch.endedAt !== undefined) return done;
    const isLast = step.step + 1 >= maxSteps;
    const { next, ended } = await advance(deps, batch, until);
    const now = deps.clock.now();
    const isEnded = next.endedAt !== undefined;
    const following = nextStep(step, waitAfter(step, batch, { next, ended }));
    const within = isLast ? 0 : following.waitSeconds * 1_000 + stepWithinMs;
    const dueAt = isEnded ? undefined : addMs(now, within);
    // After a write in between, such as a cancel, the next step does the same again.
    const written = await deps.batches.write({ ...next, version: batch.version + 1, dueAt });
    return isEnded && written ? done : following;
  };
}

/** The step after this one; the last of an execution has none. */
export function nextStep(step: BatchStep, waitSeconds: number): StepResult {
  if (step.step + 1 >= maxSteps) return { ...step, status: 'done' };
  const inRange = Math.max(2, Math.min(maxWaitSeconds, Math.round(waitSeconds)));
  return { ...step, status: 'wait', step: step.step + 1, waitSeconds: inRange };
}

/** Shorter while many of the jobs end, else longer: a look costs as much whether it finds something or not. */
function waitAfter(
  { waitSeconds }: BatchStep,
  { unfinished }: Batch,
  { next, ended }: { next: Batch; ended: number },
): number {
  if (unfinished.length === 0 && next.error === undefined) return 0;
  const isBusy = ended > 0 && ended * 10 >= unfinished.length;
  return isBusy ? waitSeconds / 2 : Math.max(2, waitSeconds) * 1.5;
}

async function advance(deps: RunBatchDeps, batch: Batch, until: Date): Promise<{ next: Batch; ended: number }> {
  // Lines follow in the next step: the batch may be cancelled, or its owner erased, while its manifest is read.
  if (batch.state === 'queued') return { next: withState(await openManifest(deps, batch), deps), ended: 0 };
  const followed = await followJobs(deps, batch);
  const submitted = isOpen(batch)
    ? await submitLines(deps, followed.batch, until)
    : { batch: followed.batch, failures: [] };
  const failures = [...followed.failures, ...submitted.failures];
  const reported =
    failures.length === 0
      ? submitted.batch
      : { ...submitted.batch, reportKey: await deps.appendReport(batch, failures) };
  return { next: withState(reported, deps), ended: followed.ended };
}

async function openManifest(deps: RunBatchDeps, batch: Batch): Promise<Batch> {
  const { backfill } = batch;
  try {
    const opened = backfill === undefined ? await deps.copyManifest(batch) : await deps.listObjects(batch);
    const { bytes: manifestBytes, lines: total, ...estimated } = opened;
    const next = { ...batch, ...estimated, manifestBytes, total };
    if (backfill?.isEstimate) return { ...next, state: 'completed' };
    const limit = backfill === undefined ? maxManifestLines : maxListedObjects;
    if (total <= limit) return { ...next, state: 'running' };
    const message = `There are ${total} ${backfill === undefined ? 'lines in the manifest' : 'objects'}; the limit is ${limit}`;
    return { ...batch, state: 'failed', error: { code: 'INPUT_TOO_LARGE', message } };
  } catch (cause) {
    const isFinal = cause instanceof JobError || (cause instanceof AppError && !apiErrors[cause.code].retryable);
    if (!isFinal) throw cause;
    return { ...batch, state: 'failed', error: { code: cause.code, message: cause.message } };
  }
}

/** A batch ends once its jobs have ended and no line can follow. */
function withState(batch: Batch, { minuteUsd, clock }: RunBatchDeps): Batch {
  const hasLines = isOpen(batch) && batch.offset < (batch.manifestBytes ?? 0);
  const isFull = batch.maxUsd !== undefined && roomOf({ ...batch, maxUsd: undefined }, minuteUsd) > 0;
  const isCapped = hasLines && isFull && roomOf(batch, minuteUsd) === 0;
  const state = isCapped ? 'capped' : isOpen(batch) ? 'running' : batch.state;
  if (batch.unfinished.length > 0 || (hasLines && !isCapped)) return { ...batch, state };
  return { ...batch, state: state === 'running' ? 'completed' : state, endedAt: clock.now().toISOString() };
}

type FollowJobsDeps = {
  jobs: Pick<JobTable, 'get'>;
  /** Cancels an unfinished job of a cancelled batch. A failure leaves it to the next step. */
  cancel: (job: Job) => Promise<unknown>;
  /** The id of the line that begins at a byte of the manifest. */
  readLineId: (batch: Batch, at: number) => Promise<string | null>;
};

const pageSize = 100;

/**
 * Counts the jobs of a batch that have ended. They leave the list of its unfinished jobs by the same write that has the counts,
 * so each counts once. Workers claim the oldest first: it looks at these as long as some have ended, and besides at one page
 * that moves on with each step. Of a cancelled batch it looks at all, and cancels those that have not ended.
 */
async function followJobs(
  deps: FollowJobsDeps,
  batch: Batch,
): Promise<{ batch: Batch; failures: LineFailure[]; ended: number }> {
  const { ownerId, unfinished } = batch;
  const isCancelled = batch.state === 'cancelled';
  const ended = new Map<string, JobRecord | undefined>();
  const look = async (page: number) => {
    const ids = unfinished.slice(page * pageSize, (page + 1) * pageSize).filter((jobId) => !ended.has(jobId));
    const before = ended.size;
    await mapConcurrent(ids, 20, async (jobId) => {
      const job = await deps.jobs.get({ ownerId, jobId }, { mayBeStale: !isCancelled }).catch(asUnreadable);
      if (job instanceof UnreadableJobError) return;
      if (job === undefined || job.state === 'deleted' || isTerminal(job)) ended.set(jobId, job);
      else if (isCancelled) await deps.cancel(job);
    });
    return ended.size > before;
  };
  const pages = Math.ceil(unfinished.length / pageSize);
  let page = 0;
  while (page < pages && ((await look(page)) || isCancelled)) page += 1;
  const moving = pages === 0 ? 0 : batch.lookFrom % pages;
  if (moving > page) await look(moving);
  const failures = await mapConcurrent([...ended], 10, ([jobId, job]) => failureOf(deps, batch, { jobId, job }));
  const failed = failures.filter((failure) => failure !== undefined);
  return {
    ended: ended.size,
    failures: failed,
    batch: {
      ...batch,
      unfinished: unfinished.filter((jobId) => !ended.has(jobId)),
      lookFrom: moving + 1,
      completed: batch.completed + ended.size - failed.length,
      failed: batch.failed + failed.length,
      spentUsd: batch.spentUsd + [...ended.values()].reduce((sum, job) => sum + costOf(job), 0),
    },
  };
}

function costOf(job: JobRecord | undefined): number {
  if (job === undefined) return 0;
  const usage = job.state === 'deleted' ? job.usage : isTerminal(job) ? usageOf(job) : undefined;
  return (usage?.nanoUsd ?? 0) / 1e9;
}

/** Undefined for a completed job. Of one that was deleted meanwhile only its state is known. */
async function failureOf(
  { readLineId }: FollowJobsDeps,
  batch: Batch,
  { jobId, job }: { jobId: string; job: JobRecord | undefined },
): Promise<LineFailure | undefined> {
  const state = job?.state === 'deleted' ? job.usage?.state : job?.state;
  if (state === 'completed') return undefined;
  const at = job !== undefined && 'batch' in job ? job.batch?.at : undefined;
  const id = at === undefined ? null : await readLineId(batch, at);
  const error = job !== undefined && 'error' in job ? job.error : undefined;
  if (error !== undefined) return { id, jobId, code: error.code, message: error.message };
  if (state === 'cancelled') return { id, jobId, code: 'CANCELLED', message: 'The job was cancelled' };
  return { id, jobId, code: 'DELETED', message: 'The job was deleted' };
}
