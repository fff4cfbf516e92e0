import type { MediaLocation } from '@media-jobs/video/chunking';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import { joinWarnings } from '@media-jobs/video/media';
import type { Step } from '@media-jobs/video/recipes';
import type { StepsInBucket } from '../../core/jobs/execution-transitions.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { stepPrefix } from '../../core/jobs/work-files.ts';
import type { FinishedResult } from '../../core/publish/store-result.ts';
import { describeOutputs, storeOutputs } from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import {
  type CompletedOutputs,
  earlierOutputs,
  findIntermediate,
  storeStepOutputs,
} from '../../core/worker/step-outputs.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import { type FetchedInputs, totalMediaSeconds } from './fetch-inputs.ts';
import { runSteps, toInput } from './run-steps.ts';

/** The steps of a job, with what was fetched for those that are left. */
export type RemainingSteps = {
  steps: readonly Step[];
  /** The completed steps of a pipeline, whose outputs are in the bucket. */
  completed?: CompletedOutputs | undefined;
  fetched: FetchedInputs;
  workspace: Workspace;
};

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

/** Runs the next steps up to the one with the number `to`. */
export async function runStepsUntil(
  deps: JobPorts,
  context: WorkerContext,
  state: PipelineState,
  to: number,
): Promise<PipelineState> {
  const { index: from, fetched, result } = state;
  const ran = await runSteps(deps, context, { ...state, from, to });
  const { intermediate } = ran;
  const measurements = { ...result.measurements, ...ran.measurements };
  const warnings = joinWarnings(result.warnings, ran.warnings);
  return {
    ...state,
    index: to,
    fetched: { ...fetched, ...(intermediate && { inputs: [toInput(intermediate)] }) },
    result: {
      ...result,
      ...(Object.keys(measurements).length > 0 && { measurements }),
      ...(warnings.length > 0 && { warnings }),
    },
    outputs: [...state.outputs, ...ran.outputs],
    intermediate,
  };
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

/** Stores what the steps that have run in this process leave for the next one, which is encoded in chunks. */
export async function storeIntermediate(
  deps: JobPorts,
  context: WorkerContext,
  { index: count, completed, outputs, intermediate, result }: PipelineState,
): Promise<{ steps: StepsInBucket; source: { location: MediaLocation; sizeBytes: number } }> {
  if (intermediate === undefined) throw new TypeError(`No step has run in front of step ${count + 1}`);
  const { job } = context;
  const unseen = { ...context, report: () => undefined };
  const store = async (measured: readonly MeasuredOutput[]) =>
    storeOutputs(deps, unseen, describeOutputs(deps, context, measured, stepPrefix(job.jobId, deps.newId())));
  const files = await store(outputs);
  const named = outputs.find(({ path }) => path === intermediate.path)?.planned.name;
  const stored = named === undefined ? Object.values(await store([intermediate]))[0] : files[named];
  if (stored === undefined) throw new TypeError(`The output of step ${count} was not stored`);
  const { sizeBytes, ...location } = await findIntermediate(deps, { intermediate: stored.key });
  const steps = await storeStepOutputs(deps, job, {
    count,
    intermediate: stored.key,
    result: { ...result, files: { ...completed?.result.files, ...files } },
  });
  return { steps, source: { location, sizeBytes } };
}
