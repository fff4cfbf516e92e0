import { JobError } from '@media-jobs/video/errors';
import { EncodeError } from '@media-jobs/video/ffmpeg';
import { removeWorkFiles } from '../../core/chunked/chunk-runner.ts';
import { isPermanentFailure, type JoinChunksInput, readChunkPlan } from '../../core/chunked/run-task-message.ts';
import { type Watch, watchJob } from '../../core/chunked/watch-job.ts';
import { foldersOfSteps, keepsFilesOf } from '../../core/jobs/kept-files.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { removeFinished, ruledEnd } from '../../core/jobs/retention.ts';
import { attemptPath } from '../../core/jobs/stored-file.ts';
import { complete, type Termination } from '../../core/jobs/termination.ts';
import { publishResult } from '../../core/publish/publish-result.ts';
import { UnpublishedError } from '../../core/publish/store-result.ts';
import { terminateJob } from '../../core/termination/terminate-job.ts';
import type { ChunkPorts, StoringPorts } from '../../core/worker/ports.ts';
import { storeRunLog } from '../../core/worker/run-log.ts';
import { abortAt, workerTimeout } from '../../core/worker/worker-context.ts';
import { type FailureReasons, loadChunkFailures } from './chunk-results.ts';
import { JoinMismatchError } from './join.ts';
import { type JoinContext, joinAndStore, type StoredOutputs } from './join-and-store.ts';
import { failUnpublished, failWith, type RetryDeps, requeueOrFailForNextStep, retryOrFail } from './retry-or-fail.ts';

export type JoinChunksDeps = ChunkPorts & StoringPorts & RetryDeps;

export type JoinChunksResult = TerminalJob['state'] | 'requeued' | 'lost';

type Outcome =
  | StoredOutputs
  /** The storage provider did not take the files. */
  | { kind: 'not-uploaded'; cause: UnpublishedError }
  /** No further attempt follows. */
  | { kind: 'failed'; cause: JobError }
  /** The chunks could not be encoded or joined. */
  | { kind: 'not-joined'; reasons: FailureReasons }
  | { kind: 'lost' };

/**
 * Ends a job whose chunk tasks have ended, before `deadline`: joins the chunks or has S3 assemble them, verifies and stores
 * the files. A job with further steps is requeued for the next one. If a chunk task failed permanently or the chunks do not
 * join, the job is requeued for a single pass. A job fails whose source is gone, or that would cost too much with its files.
 */
export function finishChunkedJob(
  deps: JoinChunksDeps,
): (task: JoinChunksInput, deadline: Date) => Promise<JoinChunksResult> {
  return async (task, deadline) => {
    const watch = await watchJob(deps, { ...task, chunk: 'join' });
    const state = watch === undefined ? 'lost' : await finishWatched(deps, task, { watch, deadline });
    await removeWorkFiles(deps, task);
    return state;
  };
}

async function finishWatched(
  deps: JoinChunksDeps,
  task: JoinChunksInput,
  { watch, deadline }: Omit<JoinContext, 'signal'>,
): Promise<JoinChunksResult> {
  const finished = new AbortController();
  const timeout = abortAt(deps.clock, { time: deadline, reason: workerTimeout(), cancelled: finished.signal });
  const signal = AbortSignal.any([watch.signal, timeout]);
  const work = task.failed ? findReason(deps, task, watch) : joinAndStore(deps, task, { watch, signal, deadline });
  const outcome = await work
    .catch((cause: unknown): Outcome => (watch.signal.aborted ? { kind: 'lost' } : outcomeOf(cause)))
    .finally(() => finished.abort())
    .finally(() => watch.end());
  if (watch.signal.aborted) return discardUnlessKept(deps, watch.job);
  return endJob(deps, task, { outcome, watch, deadline });
}

async function endJob(
  deps: JoinChunksDeps,
  task: JoinChunksInput,
  { outcome, watch, deadline }: Omit<JoinContext, 'signal'> & { outcome: Outcome },
): Promise<JoinChunksResult> {
  switch (outcome.kind) {
    case 'completed': {
      const job = watch.timedJob();
      const filesExpireAt = ruledEnd(job, deps.clock.now(), deps.retentionMs);
      const completed = { ...outcome.result, filesExpireAt };
      const end = (ending: Termination) => complete(job, completed, ending);
      const { written } = await terminateJob(deps, job, end, { until: deadline });
      return written ? 'completed' : discardUnlessKept(deps, watch.job);
    }
    case 'uploaded':
      return publishResult(deps, watch.job, outcome.publication);
    case 'step-completed':
      return requeueOrFailForNextStep(deps, task, outcome.steps);
    case 'not-uploaded':
      return failUnpublished(deps, task, outcome.cause);
    case 'failed':
      return failWith(deps, task, outcome.cause);
    case 'not-joined':
      return retryOrFail(deps, task, outcome.reasons);
    case 'lost':
      return discardUnlessKept(deps, watch.job);
  }
}

/** The reasons that failed chunk tasks stored, if any. An error here must not prevent the job's next attempt. */
async function findReason(deps: JoinChunksDeps, task: JoinChunksInput, { job }: Watch): Promise<Outcome> {
  try {
    const plan = await readChunkPlan(deps, task);
    const { sourceGone, runs, ...reasons } = await loadChunkFailures(deps, { plan, planKey: task.planKey });
    await storeRunLog(deps, job, { inputs: plan.inputs, runs: [...plan.runs, ...runs] });
    if (sourceGone === undefined) return { kind: 'not-joined', reasons };
    // The source was replaced or removed after it was planned: another attempt would read another one.
    return { kind: 'failed', cause: new JobError('INPUT_UNREACHABLE', sourceGone, { retryable: false }) };
  } catch (cause) {
    deps.onUnexpected(job, cause);
    return { kind: 'not-joined', reasons: {} };
  }
}

function outcomeOf(cause: unknown): Outcome {
  if (cause instanceof UnpublishedError) return { kind: 'not-uploaded', cause };
  if (cause instanceof JobError && ['COST_LIMIT', 'INPUT_DAMAGED'].includes(cause.code))
    return { kind: 'failed', cause };
  return { kind: 'not-joined', reasons: { permanent: reasonOf(cause) } };
}

/** The sentence for the job's owner if the chunks cannot be joined; any other error is thrown and retried. */
function reasonOf(cause: unknown): string {
  // The join copies streams, so an error of ffmpeg is permanent.
  if (cause instanceof JoinMismatchError || cause instanceof EncodeError || isPermanentFailure(cause))
    return cause.message;
  throw cause;
}

/** Removes the stored files of this attempt, unless a concurrent join of the same attempt has ended the job with them. */
async function discardUnlessKept(
  deps: JoinChunksDeps,
  job: JobIn<'processing'>,
): Promise<TerminalJob['state'] | 'lost'> {
  const current = await deps.jobs.get(job);
  if (keepsFilesOf(job, current)) return current.state;
  const steps = current !== undefined && 'completedSteps' in current ? current.completedSteps : job.completedSteps;
  await removeFinished(deps.files, attemptPath(job), { except: foldersOfSteps(job, steps) }).catch((cause: unknown) =>
    deps.onUnexpected(job, cause),
  );
  return 'lost';
}
