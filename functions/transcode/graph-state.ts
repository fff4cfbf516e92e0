import type { ChunkedWork, MediaLocation } from '@media-jobs/video/chunking';
import type { CostTable } from '@media-jobs/video/cost-model';
import type { WorkForecast, WorkLimits } from '@media-jobs/video/decide';
import type { MediaFile } from '@media-jobs/video/encoding';
import type { JobError } from '@media-jobs/video/errors';
import type { RemoteMedia, RunRecord, Workspace } from '@media-jobs/video/ffmpeg';
import { type InputFile, type JobWarning, joinWarnings } from '@media-jobs/video/media';
import type { Step, StepEnds, StepForecast } from '@media-jobs/video/recipes';
import type { RangeProxy } from '../../core/jobs/chunked-ports.ts';
import { failureWarnings, type JobResult, nameEnds, type StepsInBucket } from '../../core/jobs/job-result.ts';
import type { FinishedResult } from '../../core/publish/store-result.ts';
import { describeOutputs, earlierOutputs } from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';

/** The source of a job, read by ranges in place until the job is planned. Its path is a URL of the proxy. */
export type RemoteSource = { location: MediaLocation; path: string; remote: RemoteMedia; proxy: RangeProxy };

/** The files that the steps of a job read that are left, fetched and probed. */
export type FetchedInputs = {
  /** Empty if no step reads the inputs of the job any more. */
  inputs: MediaFile[];
  /** Outputs of completed steps that others read, by their numbers. */
  made?: ReadonlyMap<number, MediaFile> | undefined;
  /** The file name that the host of the first input states. */
  statedName?: string | undefined;
  /** Set if the first of these files was not downloaded. */
  remoteSource?: RemoteSource | undefined;
  /** For each step, the files that its parameters name. Of an optional output, why they could not be fetched. */
  assets: (Record<string, MediaFile> | JobError)[];
  downloaded: readonly InputFile[];
  inputSizeBytes: number;
  /** Whether this worker can score videos by VMAF. */
  canCompare: boolean;
  warnings?: readonly JobWarning[];
};

/** The steps of a job, with what was fetched for those that are left. */
export type RemainingSteps = {
  steps: readonly Step[];
  completed?: StepsInBucket | undefined;
  fetched: FetchedInputs;
  workspace: Workspace;
};

/** What is expected of the steps that are left of a job, and what holds for the choice of their workers. */
export type JobForecast = { work: WorkForecast; table: CostTable; limits: WorkLimits };

/** How far a process has come with the steps of a job. */
export type GraphState = RemainingSteps & {
  index: number;
  completed: StepsInBucket;
  ended: StepEnds;
  /** Outputs of steps that others read, on this disk. */
  made: ReadonlyMap<number, MediaFile>;
  /** Of all steps until now. */
  result: Omit<JobResult, 'files'>;
  /** Outputs of the job on this disk that are not stored yet: of the last step. */
  outputs: readonly MeasuredOutput[];
  shares?: readonly number[] | undefined;
};

/** A file on this disk, or one that is read in place. */
export type ChunkSource = ({ path: string; location?: undefined } | { location: MediaLocation }) & {
  sizeBytes: number;
};

/** An encoding in chunks, and the files on this disk that its tasks need in the bucket. */
export type PlannedChunkedWork = {
  work: ChunkedWork;
  /** In the order of the clips. */
  sources: readonly ChunkSource[];
  overlayPath?: string | undefined;
  /** ffmpeg runs of the measurements that resolved the plan. */
  runs: readonly RunRecord[];
};

/** A chunk plan in the media bucket. */
export type StoredChunkPlan = {
  work: ChunkedWork;
  planKey: string;
  /** The completed steps of a job of several: other workers go on after them. */
  steps?: StepsInBucket | undefined;
};

/** The state of a process that has run no step yet. */
export function beginSteps(remaining: RemainingSteps): GraphState {
  const { completed, fetched } = remaining;
  const ofInputs = { inputSizeBytes: fetched.inputSizeBytes, mediaSeconds: totalMediaSeconds(fetched.inputs) };
  const copy = copyOf(remaining);
  const before = completed ?? { count: 0, result: { files: {}, ...ofInputs }, intermediates: {} };
  const begun: StepsInBucket = {
    ...before,
    result: { ...before.result, ...(fetched.inputs.length > 0 && ofInputs) },
    ...(copy && { source: copy }),
  };
  const { files: _, ...result } = begun.result;
  const warnings = joinWarnings(result.warnings, fetched.warnings);
  return {
    ...remaining,
    completed: begun,
    index: begun.count,
    ended: new Map(),
    made: fetched.made ?? new Map(),
    result: { ...result, ...(warnings.length > 0 && { warnings }) },
    outputs: [],
  };
}

/** The copy of the source in the bucket, if this worker reads one in place. */
function copyOf({ fetched: { remoteSource, inputs, downloaded } }: RemainingSteps): StepsInBucket['source'] {
  const { location } = remoteSource ?? {};
  const [source] = downloaded;
  const isCopy =
    inputs.length === 1 && location !== undefined && 'key' in location && !('storageProviderId' in location);
  return isCopy && source ? { key: location.key, etag: location.etag, sizeBytes: source.bytes } : undefined;
}

/** The next step of a state. */
export function stepAt({ steps, index }: Pick<GraphState, 'steps' | 'index'>): Step {
  const step = steps[index];
  if (step === undefined) throw new TypeError(`The job has no step ${index + 1}`);
  return step;
}

/** Whether the next step is the last one that is left. */
export function isLast({ steps, index, ended }: Pick<GraphState, 'steps' | 'index' | 'ended'>): boolean {
  return steps.every((_, number) => number <= index || ended.has(number));
}

/** Adds the file of a step that others read. */
export function withIntermediate(completed: StepsInBucket, index: number, { key }: { key: string }): StepsInBucket {
  return { ...completed, intermediates: { ...completed.intermediates, [index]: { key } } };
}

/** The completed steps, with the result until now, up to the first that has to run again for lack of what later ones read. */
export function recorded(state: GraphState): StepsInBucket {
  const { steps, index, ended, result, completed } = state;
  const lacks = (count: number) =>
    steps.some(({ from }, reader) => {
      const isOpen = reader >= count && !ended.has(reader);
      return isOpen && from !== undefined && from < count && completed.intermediates[from] === undefined;
    });
  let count = index;
  while (count > completed.count && lacks(count)) count -= 1;
  const names = nameEnds(steps, ended);
  return {
    ...completed,
    count,
    result: { ...result, files: completed.result.files, ...(Object.keys(names).length > 0 && { ended: names }) },
  };
}

/** The files of a job whose steps are all completed. */
export async function finishedFiles(
  deps: JobPorts,
  context: WorkerContext,
  state: GraphState,
): Promise<FinishedResult> {
  const { workspace, outputs } = state;
  const completed = recorded(state);
  const { files: _, ...result } = completed.result;
  const earlier = await earlierOutputs(deps, context, { completed, workspace });
  const warnings = joinWarnings(result.warnings, failureWarnings(result.ended));
  return {
    outputs: [...earlier, ...describeOutputs(deps, context, outputs)],
    result: { ...result, ...(warnings.length > 0 && { warnings }) },
  };
}

/** The forecast of the steps that are left: those that were expected and have not run or ended since. */
export function stepsLeft(forecasts: readonly StepForecast[], { index, ended }: GraphState): StepForecast[] {
  return forecasts.filter((step) => step.index >= index && !ended.has(step.index));
}

/** Bytes of what a step reads next, as it was fetched or made. */
export function bytesReadBy({ steps, index, fetched, made }: GraphState): number {
  const { from } = steps[index] ?? {};
  const output = from === undefined ? undefined : made.get(from);
  return output?.probe.sizeBytes ?? fetched.inputSizeBytes;
}

/** Duration of all inputs together; undefined if all of them are images. */
function totalMediaSeconds(inputs: readonly MediaFile[]): number | undefined {
  const seconds = inputs.flatMap(({ probe }) => probe.durationSeconds ?? []);
  return seconds.length === 0 ? undefined : seconds.reduce((sum, each) => sum + each, 0);
}
