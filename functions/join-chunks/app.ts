import type { ChunkedWork, ChunkPlan } from '../../core/chunking/plan/chunk-plan.ts';
import { addMs } from '../../core/jobs/durations.ts';
import type { StepsInBucket } from '../../core/jobs/execution-transitions.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { keepsFilesOf } from '../../core/jobs/kept-files.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { attemptPrefix } from '../../core/jobs/stored-file.ts';
import { complete } from '../../core/jobs/termination.ts';
import { EncodeError } from '../../core/media/ffmpeg/encode-error.ts';
import type { RunRecord, Workspace } from '../../core/media/ffmpeg/ports.ts';
import { chunkRunner } from '../chunked/chunk-runner.ts';
import { openTemporaryWorkspace, removeWorkFiles } from '../chunked/cleanup.ts';
import { isPermanentFailure, type JoinChunksInput, readChunkPlan } from '../chunked/task.ts';
import { type Watch, watchJob } from '../chunked/watch-job.ts';
import { type PendingPublication, publishResult } from '../publish/publish-result.ts';
import { storeResult, UnpublishedError } from '../publish/store-result.ts';
import { terminateJob } from '../terminate-job/terminate-job.ts';
import { describeOutputs, measureOutputs, storeOutputs } from '../worker/outputs.ts';
import { type AttemptRecord, recordRuns, storeRunLog } from '../worker/run-log.ts';
import { earlierOutputs, readStepOutputs } from '../worker/step-outputs.ts';
import { abortAt, workerTimeout } from '../worker/time-limits.ts';
import type { ChunkWorkerDeps, ProgressReport, StoreResultDeps } from '../worker/worker-deps.ts';
import { assembleOutputs } from './assemble.ts';
import { assembleStream, type JoinedRendition, joinRenditions, tableReader } from './assemble-stream.ts';
import { type EncodedChunk, loadChunkFailures, loadChunkResults } from './chunk-results.ts';
import { compareWithSource } from './compare-with-source.ts';
import { JoinMismatchError, joinChunks } from './join.ts';
import {
  failUnpublished,
  failWithoutSource,
  goOnWithNextStep,
  type RetryDeps,
  retryOrFail,
} from './retry-or-fail.ts';
import { isLastStep, prefixOf, storeStep } from './store-step.ts';

export type JoinChunksDeps = ChunkWorkerDeps & StoreResultDeps & RetryDeps;

export type JoinChunksResult = TerminalJob['state'] | 'requeued' | 'lost';

/** `signal` aborts when the lease is lost, and at the deadline: a provider that is slow must not keep the function. */
type Context = { watch: Watch; signal: AbortSignal; deadline: Date };

/**
 * Fields of the completed job, what its completed steps leave if more follow, or why the chunks could not be encoded or
 * joined; undefined if no reason is known.
 */
type Outcome =
  | { result: JobResult }
  | { steps: StepsInBucket }
  | PendingPublication
  | { unpublished: UnpublishedError }
  | { sourceGone: string }
  | { reason: string | undefined }
  | 'lost';

/**
 * Ends a job whose chunk tasks have ended, before `deadline`: joins the encoded chunks, or has S3 assemble them, verifies
 * the files and stores them. A job with more steps is requeued for the next one. If that is impossible, or a task failed permanently, requeues the job for a single pass. Fails
 * a job whose source is gone.
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
  { watch, deadline }: Omit<Context, 'signal'>,
): Promise<JoinChunksResult> {
  const { job } = watch;
  const finished = new AbortController();
  const timeout = abortAt(deps.clock, {
    time: deadline,
    reason: workerTimeout(),
    cancelled: finished.signal,
  });
  const signal = AbortSignal.any([watch.signal, timeout]);
  const work = task.failed
    ? findReason(deps, task, watch)
    : joinAndStore(deps, task, { watch, signal, deadline });
  const outcome = await work
    .catch((cause: unknown): Outcome => (watch.signal.aborted ? 'lost' : outcomeOf(cause)))
    .finally(() => finished.abort())
    .finally(() => watch.end());
  if (outcome === 'lost' || watch.signal.aborted) return discardUnlessKept(deps, job);
  if ('publicationKey' in outcome) return publishResult(deps, job, outcome);
  if ('sourceGone' in outcome) return failWithoutSource(deps, task, outcome.sourceGone);
  if ('unpublished' in outcome) return failUnpublished(deps, task, outcome.unpublished);
  if ('reason' in outcome) return retryOrFail(deps, task, outcome.reason);
  if ('steps' in outcome) return goOnWithNextStep(deps, task, outcome.steps);
  const completed = { ...outcome.result, filesExpireAt: addMs(deps.clock.now(), deps.retentionMs) };
  const timed = watch.timedJob();
  const ended = await terminateJob(deps, timed, (ending) => complete(timed, completed, ending), {
    until: deadline,
  });
  return ended.written ? 'completed' : discardUnlessKept(deps, job);
}

async function joinAndStore(deps: JoinChunksDeps, task: JoinChunksInput, context: Context): Promise<Outcome> {
  const plan = await readChunkPlan(deps, task);
  const encoded = await loadChunkResults(deps, { plan, planKey: task.planKey });
  const store = plan.work.isAssembled ? storeAssembled : storeJoined;
  return store(deps, { plan, encoded }, context);
}

type EncodedPlan = { plan: ChunkPlan; encoded: readonly EncodedChunk[] };

/** S3 assembles the outputs at the keys that the job keeps, or the output of a step at that of a work file. */
async function storeAssembled(
  deps: JoinChunksDeps,
  { plan, encoded }: EncodedPlan,
  context: Context,
): Promise<Outcome> {
  const { work } = plan;
  const { watch, signal } = context;
  const { job } = watch;
  const prefix = prefixOf(deps, job, work);
  const measured = await assembleOutputs(deps, { work, encoded, prefix }, context).finally(() =>
    storeRunLog(deps, job, runsOf({ plan, encoded })),
  );
  const outputs = describeOutputs(deps, watch, measured, prefix);
  const files = Object.fromEntries(outputs.map(({ name, file }) => [name, file]));
  const completed = await readStepOutputs(deps, job);
  if (!isLastStep(job, work)) {
    return { steps: await storeStep(deps, job, { work, completed, files, result: work.result }) };
  }
  await using opened = await openTemporaryWorkspace(deps, job);
  const earlier = await earlierOutputs(deps, { job, signal }, { completed, ...opened });
  const unseen = { job, report: () => undefined, signal, deadline: context.deadline };
  return { result: { ...work.result, files: { ...(await storeOutputs(deps, unseen, earlier)), ...files } } };
}

/** ffmpeg joins the outputs on the disk, from where they are uploaded. */
async function storeJoined(
  deps: JoinChunksDeps,
  { plan, encoded }: EncodedPlan,
  context: Context,
): Promise<Outcome> {
  const { watch, signal, deadline } = context;
  const { job, report } = watch;
  const { work } = plan;
  const { encoder, runs } = recordRuns(deps.encoder);
  await using opened = await openTemporaryWorkspace(deps, job);
  const { workspace } = opened;
  const directory = await workspace.makeDirectory('joined');
  const recording = { ...deps, encoder };
  const results = encoded.map(({ result }) => result);
  const renditions = work.hasFinalFragments ? joinRenditions(work, results) : [];
  const measurements = await joinFromBucket(
    recording,
    { work, encoded, renditions, directory, workspace },
    context,
  )
    .then(() => compareWithSource(recording, { plan, directory }, context))
    .finally(() => storeRunLog(deps, job, runsOf({ plan, encoded }, runs)));
  // The join is the first half of the progress, the upload the second.
  const reportUpload = ({ fraction }: ProgressReport) => report(50 + 50 * fraction);
  const worker = { job, report: reportUpload, signal, deadline };
  const fragments =
    renditions.length === 0 ? undefined : await assembleStream(deps, { work, encoded, renditions }, context);
  const written = { outputs: work.outputs, directory, workspace, stored: fragments };
  const measured = await measureOutputs(deps, worker, written);
  const { measurements: planned, ...rest } = work.result;
  const figures = measurements ?? planned;
  const result = { ...rest, ...(figures === undefined ? {} : { measurements: figures }) };
  const outputs = describeOutputs(deps, worker, measured, prefixOf(deps, job, work));
  const completed = await readStepOutputs(deps, job);
  if (!isLastStep(job, work)) {
    const files = await storeOutputs(deps, worker, outputs);
    return { steps: await storeStep(deps, job, { work, completed, files, result }) };
  }
  const earlier = await earlierOutputs(deps, worker, { completed, workspace });
  const finished = await storeResult(deps, worker, { outputs: [...earlier, ...outputs], result });
  return 'publicationKey' in finished ? finished : { result: finished };
}

/** What the log of the job shows: the runs of all functions. */
function runsOf({ plan, encoded }: EncodedPlan, joining: readonly RunRecord[] = []): AttemptRecord {
  const ofTasks = encoded.flatMap(({ result }) => result.runs);
  return { inputs: plan.inputs, runs: [...plan.runs, ...ofTasks, ...joining] };
}

type Joinable = {
  work: ChunkedWork;
  encoded: readonly EncodedChunk[];
  /** Those of a stream that S3 assembles. */
  renditions: readonly JoinedRendition[];
  directory: string;
  workspace: Workspace;
};

/** Reads the encoded chunks through a proxy, so that the disk holds the finished files only. */
async function joinFromBucket(
  deps: JoinChunksDeps,
  { work, encoded, renditions, directory, workspace }: Joinable,
  { watch: { job, report }, signal, deadline }: Context,
): Promise<void> {
  const nameOf = (task: number, file: number) => `${task}-${file}`;
  const objects = encoded.flatMap(({ files }, task) =>
    files.map((object, file) => [nameOf(task, file), object] as const),
  );
  await using proxy = await deps.openRangeProxy(Object.fromEntries(objects), { job, signal });
  const files = {
    taskFile: (task: number, file: number) => proxy.urlOf(nameOf(task, file)),
    isRemote: true,
    directory,
  };
  const runner = chunkRunner(deps, { directory, signal, deadline, rewriter: workspace, proxy });
  const joining = renditions.length === 0 ? runner : { ...runner, ...tableReader(renditions) };
  await joinChunks(joining, { work, results: encoded.map(({ result }) => result), files }, report);
}

/** The reason that a failed chunk task stored, if any. An error here must not prevent the job's next attempt. */
async function findReason(deps: JoinChunksDeps, task: JoinChunksInput, { job }: Watch): Promise<Outcome> {
  try {
    const plan = await readChunkPlan(deps, task);
    const { reasons, sourceGone, runs } = await loadChunkFailures(deps, { plan, planKey: task.planKey });
    await storeRunLog(deps, job, { inputs: plan.inputs, runs: [...plan.runs, ...runs] });
    return sourceGone === undefined ? { reason: reasons[0] } : { sourceGone };
  } catch (cause) {
    deps.onUnexpected(job, cause);
    return { reason: undefined };
  }
}

function outcomeOf(cause: unknown): Outcome {
  return cause instanceof UnpublishedError ? { unpublished: cause } : { reason: reasonOf(cause) };
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
  const { jobId, attempt } = job;
  await deps.files
    .removeAll(attemptPrefix(jobId, attempt))
    .catch((cause: unknown) => deps.onUnexpected(job, cause));
  return 'lost';
}
