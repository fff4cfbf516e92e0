import { type ChunkedWork, type ChunkPlan, damageOfTasks } from '@media-jobs/video/chunking';
import { type RunRecord, recordRuns, type Workspace } from '@media-jobs/video/ffmpeg';
import { damageWarnings, joinWarnings } from '@media-jobs/video/media';
import { chunkRunner, openTemporaryWorkspace } from '../../core/chunked/chunk-runner.ts';
import { type JoinChunksInput, readChunkPlan } from '../../core/chunked/run-task-message.ts';
import type { Watch } from '../../core/chunked/watch-job.ts';
import { failureWarnings, type JobResult, numberEnds, type StepsInBucket } from '../../core/jobs/job-result.ts';
import { readSteps } from '../../core/jobs/read-steps.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { outputPrefix } from '../../core/jobs/retention.ts';
import { stepPrefix } from '../../core/jobs/stored-file.ts';
import type { PendingPublication } from '../../core/publish/publish-result.ts';
import { storeResult } from '../../core/publish/store-result.ts';
import { uploadMsOfJoin } from '../../core/storage/upload-time.ts';
import {
  describeOutputs,
  earlierOutputs,
  measureOutputs,
  requireFittingFiles,
  storeOutputs,
  withFiles,
} from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { ChunkPorts, StoringPorts, WorkerPorts } from '../../core/worker/ports.ts';
import { type AttemptRecord, storeRunLog } from '../../core/worker/run-log.ts';
import type { ProgressReport } from '../../core/worker/worker-context.ts';
import { assembleOutputs } from './assemble.ts';
import { assembleStream, type JoinedRendition, joinRenditions, tableReader } from './assemble-stream.ts';
import { type EncodedChunk, loadChunkResults } from './chunk-results.ts';
import { compareWithSource } from './compare-with-source.ts';
import { joinChunks } from './join.ts';

type JoinDeps = ChunkPorts & StoringPorts;

/** `signal` aborts when the lease is lost, and at the deadline: a provider that is slow must not keep the function. */
export type JoinContext = { watch: Watch; signal: AbortSignal; deadline: Date };

/** The outputs of the last step, or of one that others follow. */
export type StoredOutputs =
  | { kind: 'completed'; result: JobResult }
  /** All files are at the storage provider, invisible. */
  | { kind: 'uploaded'; publication: PendingPublication }
  | { kind: 'step-completed'; steps: StepsInBucket };

/**
 * Joins encoded chunks, or has S3 assemble them, verifies the outputs and stores them.
 * @throws JobError `COST_LIMIT` if the job would cost too much with its files
 */
export async function joinAndStore(
  deps: JoinDeps,
  task: JoinChunksInput,
  context: JoinContext,
): Promise<StoredOutputs> {
  const stored = await readChunkPlan(deps, task);
  const encoded = await loadChunkResults(deps, { plan: stored, planKey: task.planKey });
  const plan = await withDamage(deps, { plan: stored, encoded }, context.watch.job);
  return storeOutputsOf(deps, { plan, encoded }, context);
}

type EncodedPlan = { plan: ChunkPlan; encoded: readonly EncodedChunk[] };

/**
 * The plan with the warnings of what its tasks decoded. The log of a job that fails has their runs.
 * @throws JobError `INPUT_DAMAGED` if most of the source is damaged
 */
async function withDamage(deps: JoinDeps, { plan, encoded }: EncodedPlan, job: Watch['job']): Promise<ChunkPlan> {
  const { work } = plan;
  const results = encoded.map(({ result }) => result);
  try {
    const warnings = joinWarnings(work.result.warnings, damageWarnings(damageOfTasks(work, results)));
    return warnings.length === 0 ? plan : { ...plan, work: { ...work, result: { ...work.result, warnings } } };
  } catch (cause) {
    await storeRunLog(deps, job, runsOf({ plan, encoded }));
    throw cause;
  }
}

/** Stores verified outputs at the keys that the job keeps, or the output of a step at that of a work file. */
async function storeOutputsOf(
  deps: JoinDeps,
  { plan, encoded }: EncodedPlan,
  context: JoinContext,
): Promise<StoredOutputs> {
  const { watch, signal, deadline } = context;
  const { job } = watch;
  const { work } = plan;
  await using opened = await openTemporaryWorkspace(deps, job);
  const { workspace } = opened;
  const prefix = prefixOf(deps, job, work);
  const toMake = { plan, encoded, prefix, workspace };
  const made = await (work.isAssembled ? assemble : join)(deps, toMake, context);
  const { measured, measurements = work.result.measurements, report } = made;
  const worker = { job, report, signal, deadline };
  const result = resultOf(watch.timedJob(), {
    ...work,
    result: { ...work.result, ...(measurements && { measurements }) },
  });
  const outputs = describeOutputs(deps, worker, measured, prefix).map((output) =>
    work.isAssembled ? { ...output, isStored: true } : output,
  );
  if (!isLastStep(job, work)) {
    const files = await storeOutputs(deps, worker, outputs);
    return { kind: 'step-completed', steps: completedBy(job, { work, files, result }) };
  }
  const earlier = await earlierOutputs(deps, worker, { completed: job.completedSteps, workspace });
  const all = { outputs: [...earlier, ...outputs], result };
  requireFittingFiles(deps, watch.timedJob(), all.outputs);
  const finished = await storeResult(deps, worker, all, uploadMsOfJoin);
  return 'publicationKey' in finished
    ? { kind: 'uploaded', publication: finished }
    : { kind: 'completed', result: finished };
}

/** Whether the work of an execution is the last step of its job that makes an output. */
function isLastStep({ request, completedSteps }: JobIn<'processing'>, { step }: ChunkedWork): boolean {
  const steps = readSteps(request);
  const ended = numberEnds(steps, completedSteps?.result.ended);
  return steps.every((_, index) => index <= step || ended.has(index));
}

/**
 * The prefix of the keys of the outputs. Each join of a step that others follow has keys of its own: what another one has
 * stored may be read already.
 */
function prefixOf({ newId }: WorkerPorts, job: JobIn<'processing'>, work: ChunkedWork): string {
  const isNamed = readSteps(job.request)[work.step]?.name !== undefined;
  const prefix = outputPrefix(job, work.outputs[0]?.folder);
  if (isLastStep(job, work)) return prefix;
  return isNamed ? `${prefix}${newId()}/` : stepPrefix(job.jobId, newId());
}

/** The result of a job with what its tasks took, and with the warnings of failed outputs if it is complete. */
function resultOf(job: JobIn<'processing'>, work: ChunkedWork): Omit<JobResult, 'files'> {
  const { ended, outputMs } = job.completedSteps?.result ?? {};
  const { name, output } = readSteps(job.request)[work.step] ?? {};
  const ms = Object.values(job.taskMs ?? {}).reduce((sum, each) => sum + each, 0);
  const warnings = joinWarnings(work.result.warnings, isLastStep(job, work) ? failureWarnings(ended) : []);
  return {
    ...work.result,
    ...(warnings.length > 0 && { warnings }),
    ...(ended && { ended }),
    ...(output !== undefined && name !== undefined && { outputMs: { ...outputMs, [name]: ms } }),
  };
}

/** What a joined step leaves for those behind it, as the record of the job has it. */
function completedBy(
  { request, completedSteps }: JobIn<'processing'>,
  { work: { step }, files, result }: { work: ChunkedWork; files: JobResult['files']; result: Omit<JobResult, 'files'> },
): StepsInBucket {
  const steps = readSteps(request);
  const { name, isIntermediate } = steps[step] ?? {};
  const { attempts: _, chunking: __, ...earlier } = completedSteps ?? { attempts: 0, intermediates: {} };
  const [output] = Object.values(files);
  const isRead = output !== undefined && steps.some(({ from }) => from === step);
  const isDelivered = name !== undefined && isIntermediate === false;
  const stored = completedSteps?.result.files ?? {};
  return withFiles(
    {
      ...earlier,
      count: step + 1,
      result: { ...result, files: stored },
      intermediates: { ...earlier.intermediates, ...(isRead && { [step]: { key: output.key } }) },
    },
    isDelivered ? files : {},
  );
}

type ToMake = EncodedPlan & { prefix: string; workspace: Workspace };

/** Measured outputs, and where the progress of their upload is reported. */
type Made = {
  measured: MeasuredOutput[];
  measurements?: Record<string, number> | undefined;
  report: (progress: ProgressReport) => void;
};

/** S3 assembles the outputs under their keys: nothing is left to upload. */
async function assemble(deps: JoinDeps, { plan, encoded, prefix }: ToMake, context: JoinContext): Promise<Made> {
  const { work } = plan;
  const measured = await assembleOutputs(deps, { work, encoded, prefix }, context).finally(() =>
    storeRunLog(deps, context.watch.job, runsOf({ plan, encoded })),
  );
  return { measured, report: () => undefined };
}

/** ffmpeg joins the outputs on the disk, from where they are uploaded. */
async function join(deps: JoinDeps, { plan, encoded, prefix, workspace }: ToMake, context: JoinContext): Promise<Made> {
  const { watch, signal } = context;
  const { job } = watch;
  const { work } = plan;
  const { encoder, runs } = recordRuns(deps.media);
  const directory = await workspace.makeDirectory('joined');
  const recording = { ...deps, media: encoder };
  const results = encoded.map(({ result }) => result);
  const renditions = work.hasFinalFragments ? joinRenditions(work, results) : [];
  const joinable = { work, encoded, renditions, directory, workspace };
  const measurements = await joinFromBucket(recording, joinable, context)
    .then(() => compareWithSource(recording, { plan, directory }, context))
    .finally(() => storeRunLog(deps, job, runsOf({ plan, encoded }, runs)));
  // The join is the first half of the progress, the upload the second.
  const report = ({ fraction }: ProgressReport) => watch.report(50 + 50 * fraction);
  const stored =
    renditions.length === 0 ? undefined : await assembleStream(deps, { work, encoded, renditions, prefix }, context);
  const written = { folder: work.outputs[0]?.folder, outputs: work.outputs, directory, workspace, stored };
  const measured = await measureOutputs(deps, { job, signal }, written);
  return { measured, measurements, report };
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
  deps: JoinDeps,
  { work, encoded, renditions, directory, workspace }: Joinable,
  { watch: { job, report }, signal, deadline }: JoinContext,
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
