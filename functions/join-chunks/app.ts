import { addMs } from '../../core/jobs/durations.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { attemptPrefix } from '../../core/jobs/stored-file.ts';
import { complete } from '../../core/jobs/transitions.ts';
import { EncodeError } from '../../core/media/ffmpeg/encode-error.ts';
import { isPermanentFailure } from '../chunked/is-permanent-failure.ts';
import { removeWorkFiles } from '../chunked/remove-work-files.ts';
import { type JoinTask, readChunkPlan } from '../chunked/task.ts';
import { openTemporaryWorkspace } from '../chunked/temporary-workspace.ts';
import { type Watch, watchJob } from '../chunked/watch-job.ts';
import { terminateJob, wasCompletedByAttempt } from '../terminate-job/terminate-job.ts';
import { measureOutputs } from '../worker/measure-outputs.ts';
import { recordRuns, storeRunLog } from '../worker/run-log.ts';
import { storeOutputs } from '../worker/store-outputs.ts';
import type { ChunkWorkerDeps, ProgressReport } from '../worker/worker-deps.ts';
import { joinChunks } from './join.ts';
import { JoinMismatchError } from './join-mismatch.ts';
import { loadChunkFailures, loadChunkResults } from './load-chunk-results.ts';
import { type RetryDeps, retryOrFail } from './retry-or-fail.ts';

export type JoinChunksDeps = ChunkWorkerDeps & RetryDeps;

export type JoinChunksResult = TerminalJob['state'] | 'requeued' | 'lost';

type Result = Pick<JobIn<'completed'>, 'files' | 'inputSizeBytes' | 'mediaSeconds' | 'measurements'>;

/**
 * Ends a job whose parts are encoded, before `deadline`: joins them, checks the files against the plan and delivers them.
 * Where that is not possible, or parts failed for good, the job goes back to be encoded in one piece.
 */
export function finishChunkedJob(
  ports: JoinChunksDeps,
): (task: JoinTask, deadline: Date) => Promise<JoinChunksResult> {
  return async (task, deadline) => {
    const watch = await watchJob(ports, { ...task, chunk: 'join' });
    const state = watch === undefined ? 'lost' : await finish(ports, task, { watch, deadline });
    await removeWorkFiles(ports, task);
    return state;
  };
}

type Context = { watch: Watch; deadline: Date };

async function finish(ports: JoinChunksDeps, task: JoinTask, context: Context): Promise<JoinChunksResult> {
  const { watch, deadline } = context;
  const work = await (task.failed ? explain(ports, task, watch) : produce(ports, task, context))
    .catch((cause: unknown) => {
      if (watch.signal.aborted) return 'lost' as const;
      return { flaw: flawOf(cause) };
    })
    .finally(() => watch.end());
  const { job } = watch;
  if (work === 'lost' || watch.signal.aborted) return lose(ports, job);
  if ('flaw' in work) return retryOrFail(ports, task, work.flaw);
  const filesExpireAt = addMs(ports.clock.now(), ports.retentionMs);
  const change = { ...work.result, filesExpireAt };
  const ended = await terminateJob(ports, job, (ending) => complete(job, change, ending), {
    until: deadline,
  });
  return ended.written ? 'completed' : lose(ports, job);
}

async function produce(
  ports: JoinChunksDeps,
  task: JoinTask,
  { watch, deadline }: Context,
): Promise<{ result: Result }> {
  const { job, signal, report } = watch;
  const plan = await readChunkPlan(ports, task);
  const { planKey } = task;
  const parts = await loadChunkResults(ports, { plan, planKey });
  const { encoder, runs } = recordRuns(ports.encoder);
  await using opened = await openTemporaryWorkspace(ports, task);
  const { workspace } = opened;
  const directory = await workspace.makeDirectory('joined');
  const joining = joinChunks({ ...ports, encoder }, { plan, parts, directory }, { signal, deadline, report });
  await joining.finally(() =>
    storeRunLog(ports, job, [...plan.runs, ...parts.flatMap(({ result }) => result.runs), ...runs]),
  );
  const reportUpload = ({ fraction }: ProgressReport) => report(50 + 50 * fraction);
  const context = { job, report: reportUpload, signal, deadline };
  const written = { outputs: plan.work.outputs, directory, workspace };
  const measured = await measureOutputs(ports, context, written);
  const files = await storeOutputs(ports, context, measured);
  return { result: { files, ...plan.work.result } };
}

/** Finds out why not all parts were encoded, as far as they say so. Whatever fails in that, the job has to go on. */
async function explain(
  ports: JoinChunksDeps,
  task: JoinTask,
  { job }: Watch,
): Promise<{ flaw: string | undefined }> {
  try {
    const plan = await readChunkPlan(ports, task);
    const { reasons, runs } = await loadChunkFailures(ports, { plan, planKey: task.planKey });
    await storeRunLog(ports, job, [...plan.runs, ...runs]);
    return { flaw: reasons[0] };
  } catch (cause) {
    ports.onUnexpected(job, cause);
    return { flaw: undefined };
  }
}

/** Says to the owner why parts make no file; what is the stage's own failure is thrown, to be tried again. */
function flawOf(cause: unknown): string {
  // Joining is copying: what ffmpeg does not take of it, it never will.
  if (cause instanceof JoinMismatchError || cause instanceof EncodeError || isPermanentFailure(cause))
    return cause.message;
  throw cause;
}

/** Removes what this function wrote, unless it has become the job's result: another one was here for the same attempt. */
async function lose(ports: JoinChunksDeps, job: JobIn<'processing'>): Promise<'completed' | 'lost'> {
  if (wasCompletedByAttempt(job, await ports.jobs.get(job))) return 'completed';
  const { jobId, attempt } = job;
  await ports.files
    .removeAll(attemptPrefix(jobId, attempt))
    .catch((cause: unknown) => ports.onUnexpected(job, cause));
  return 'lost';
}
