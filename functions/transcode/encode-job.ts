import { keepAlpha } from '../../core/encoding/keep-alpha.ts';
import { executePlan, type MediaFile, type RunTask, runTask } from '../../core/encoding/plan.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import { planStep, type Step } from '../../core/recipes/pipeline/steps.ts';
import { addStepToError } from '../../core/recipes/pipeline/validate-pipeline.ts';
import type { PendingPublication } from '../publish/publish-result.ts';
import { storeResult } from '../publish/store-result.ts';
import { describeOutputs, measureOutputs } from '../worker/outputs.ts';
import type { MeasuredOutput } from '../worker/package-stream.ts';
import {
  type EncodeJobDeps,
  remainingSeconds,
  type WorkerContext,
  type WorkerDeps,
} from '../worker/worker-deps.ts';
import { type FetchedInputs, totalMediaSeconds } from './fetch-inputs.ts';

/** Encodes a validated job in this process, measures the files and uploads them. */
export async function encodeJob(
  deps: EncodeJobDeps,
  context: WorkerContext,
  { steps, fetched, workspace }: { steps: readonly Step[]; fetched: FetchedInputs; workspace: Workspace },
): Promise<JobResult | PendingPublication> {
  const { outputs, measurements } = await runSteps(deps, context, { steps, fetched, workspace });
  return storeResult(deps, context, {
    outputs: describeOutputs(deps, context, outputs),
    result: {
      inputSizeBytes: fetched.inputSizeBytes,
      mediaSeconds: totalMediaSeconds(fetched.inputs),
      ...(Object.keys(measurements).length === 0 ? {} : { measurements }),
    },
  });
}

export type StepResults = { outputs: MeasuredOutput[]; measurements: Record<string, number> };

/**
 * Runs the steps of a job, each on the output of the one before. Results are the outputs of the last step and of those
 * with a name. Inputs and intermediates are removed from the disk as soon as the next step has read them.
 */
export async function runSteps(
  deps: EncodeJobDeps,
  context: WorkerContext,
  { steps, fetched, workspace }: { steps: readonly Step[]; fetched: FetchedInputs; workspace: Workspace },
): Promise<StepResults> {
  const outputs: MeasuredOutput[] = [];
  const measurements: Record<string, number> = {};
  const { assets, canCompare } = fetched;
  const { fontsDirectory, memory } = deps;
  const count = steps.length;
  let { inputs } = fetched;
  let intermediates = inputs.map(({ path }) => path);
  for (const [index, step] of steps.entries()) {
    const directory = await workspace.makeDirectory(`step-${index + 1}`);
    const stepContext = { inputs, assets: assets[index] ?? {}, canCompare, fontsDirectory, memory };
    try {
      const planned = planStep(step, { ...stepContext, outputDirectory: directory });
      context.report({ stage: 'transcoding', fraction: index / count });
      const run = taskRunner(deps, context, { index, count, directory });
      const plan = await executePlan(planned, keepAlpha(run, inputs));
      for (const [name, value] of Object.entries(plan.measurements ?? {})) {
        measurements[count === 1 ? name : `${step.name ?? `step-${index + 1}`}.${name}`] = value;
      }
      const written = { outputs: plan.outputs, directory, workspace };
      const measured = await measureOutputs(deps, context, written);
      for (const path of intermediates) await workspace.removePath(path);
      const isLast = index === count - 1;
      const isResult = isLast || step.name !== undefined;
      if (isResult) outputs.push(...measured.map((output) => nameOutput(step, output)));
      intermediates = isResult ? [] : [directory];
      if (!isLast) inputs = [toInput(measured)];
    } catch (cause) {
      throw addStepToError(cause, steps, index);
    }
  }
  return { outputs, measurements };
}

/** The position of a step, from 0, in a job of `count` steps; `directory` is where its tasks write. */
type StepPosition = { index: number; count: number; directory: string };

/** Runs tasks of one step, and reports their progress as progress of the whole job. */
export function taskRunner(
  { encoder, clock, stallSeconds }: WorkerDeps,
  { report, signal, deadline }: WorkerContext,
  { index, count, directory }: StepPosition,
): RunTask {
  return (task, { from, to, isLast }) =>
    runTask(encoder, task, {
      directory,
      signal,
      timeLimitSeconds: remainingSeconds(clock, deadline),
      stallSeconds,
      onProgress: ({ percent, remainingSeconds: untilEnd }) =>
        report({
          stage: 'transcoding',
          fraction: (index + from + ((to - from) * percent) / 100) / count,
          // ffmpeg estimates the end of its own command: only the estimate of the last command is the job's.
          remainingSeconds: isLast && index === count - 1 ? untilEnd : undefined,
        }),
    });
}

/** The only output of a named step takes the step's name. */
function nameOutput({ name }: Step, output: MeasuredOutput): MeasuredOutput {
  const { planned } = output;
  if (name === undefined || planned.name !== 'output') return output;
  return { ...output, planned: { ...planned, name, filename: planned.filename.replace(/^output/, name) } };
}

function toInput([first]: readonly MeasuredOutput[]): MediaFile {
  if (first?.probe === undefined) throw new TypeError('A step follows one that has no media output');
  return { path: first.path, probe: first.probe };
}
