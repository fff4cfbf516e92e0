import type { MediaLocation } from '@media-jobs/video/chunking';
import type { CostTable } from '@media-jobs/video/cost-model';
import type { WorkForecast, WorkLimits } from '@media-jobs/video/decide';
import type { MediaFile } from '@media-jobs/video/encoding';
import type { RemoteMedia, Workspace } from '@media-jobs/video/ffmpeg';
import type { InputFile, JobWarning } from '@media-jobs/video/media';
import type { Step } from '@media-jobs/video/recipes';
import type { RangeProxy } from '../../core/jobs/chunked-ports.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import type { FinishedResult } from '../../core/publish/store-result.ts';
import { describeOutputs } from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { type CompletedOutputs, earlierOutputs } from '../../core/worker/step-outputs.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';

/** The source of a job, read by ranges in place until the job is planned. Its path is a URL of the proxy. */
export type RemoteSource = { location: MediaLocation; path: string; remote: RemoteMedia; proxy: RangeProxy };

/** The files that a job reads, fetched and probed. */
export type FetchedInputs = {
  inputs: MediaFile[];
  /** The file name that the host of the first input states. */
  statedName?: string | undefined;
  /** Set if the only input was not downloaded. */
  remoteSource?: RemoteSource | undefined;
  /** For each step, the files that its parameters name. */
  assets: Record<string, MediaFile>[];
  /** All of these files for the job's log. */
  downloaded: readonly InputFile[];
  inputSizeBytes: number;
  /** Whether this worker can score videos by VMAF. */
  canCompare: boolean;
  warnings?: readonly JobWarning[];
};

/** The steps of a job, with what was fetched for those that are left. */
export type RemainingSteps = {
  steps: readonly Step[];
  /** The completed steps of a pipeline, whose outputs are in the bucket. */
  completed?: CompletedOutputs | undefined;
  fetched: FetchedInputs;
  workspace: Workspace;
};

/** What is expected of the steps that are left of a job, and what holds for the choice of their workers. */
export type JobForecast = { work: WorkForecast; table: CostTable; limits: WorkLimits };

/** How far a process has come with the steps of a job. */
export type PipelineState = RemainingSteps & {
  /** Number of the next step, from 0, which reads the inputs in `fetched`. */
  index: number;
  /** Of all steps until now. */
  result: Omit<JobResult, 'files'>;
  /** Outputs of the job on this disk. */
  outputs: readonly MeasuredOutput[];
  /** The output of the step that has just run. */
  intermediate?: MeasuredOutput | undefined;
};

/** Nothing has run in this process. */
export function beginSteps(remaining: RemainingSteps): PipelineState {
  const { completed, fetched } = remaining;
  const { files: _, ...result } = completed?.result ?? {
    files: {},
    inputSizeBytes: fetched.inputSizeBytes,
    mediaSeconds: totalMediaSeconds(fetched.inputs),
  };
  return { ...remaining, index: completed?.count ?? 0, result, outputs: [] };
}

/** The files of a job whose steps are all completed. */
export async function finishedFiles(
  deps: JobPorts,
  context: WorkerContext,
  { completed, workspace, outputs: measured, result }: PipelineState,
): Promise<FinishedResult> {
  const earlier = await earlierOutputs(deps, context, { completed, workspace });
  return { outputs: [...earlier, ...describeOutputs(deps, context, measured)], result };
}

/** Duration of all inputs together; undefined if all of them are images. */
function totalMediaSeconds(inputs: readonly MediaFile[]): number | undefined {
  const seconds = inputs.flatMap(({ probe }) => probe.durationSeconds ?? []);
  return seconds.length === 0 ? undefined : seconds.reduce((sum, each) => sum + each, 0);
}
