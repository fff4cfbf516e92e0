import { executePlan, type MediaFile, type RunTask, runTask, withInputOptions } from '@media-jobs/video/encoding';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import { recordRuns } from '@media-jobs/video/ffmpeg';
import type { JobWarning } from '@media-jobs/video/media';
import { damageOfRuns, damageWarnings, explainByDamage, maxOutputFps } from '@media-jobs/video/media';
import {
  addStepToError,
  dependOnCaptions,
  nameMeasurements,
  nameOutput,
  nameWarnings,
  planStep,
  type Step,
  stepWarnings,
} from '@media-jobs/video/recipes';
import { measureOutputs } from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { remainingSeconds, type WorkerContext } from '../../core/worker/worker-context.ts';
import type { FetchedInputs } from './fetch-inputs.ts';

/** A range of the steps of a job, on files that are on this disk. */
export type StepRange = {
  steps: readonly Step[];
  /** The number of the first one, from 0. */
  from: number;
  /** The number behind the last one. */
  to: number;
  fetched: FetchedInputs;
  workspace: Workspace;
};

export type StepResults = {
  /** Those of the job: of named steps, and of its last step. */
  outputs: MeasuredOutput[];
  measurements: Record<string, number>;
  warnings: readonly JobWarning[];
  /** Output of the last of these steps, probed as an input of the next one. Undefined behind the last step of the job. */
  intermediate: MeasuredOutput | undefined;
};

/**
 * Runs steps of a job, each on the output of the one before. Results are the outputs of the last step of the job and of
 * those with a name. Inputs and intermediates are removed from the disk as soon as the next step has read them.
 */
export async function runSteps(
  deps: JobPorts,
  context: WorkerContext,
  { steps, from, to, fetched, workspace }: StepRange,
): Promise<StepResults> {
  const outputs: MeasuredOutput[] = [];
  const measurements: Record<string, number> = {};
  const warnings: JobWarning[] = [...(fetched.warnings ?? [])];
  const { assets, canCompare } = fetched;
  const { fontsDirectory, memory } = deps;
  const count = steps.length;
  let { inputs } = fetched;
  let unread = inputs.map(({ path }) => path);
  let intermediate: MeasuredOutput | undefined;
  for (const [index, step] of steps.entries()) {
    if (index < from || index >= to) continue;
    const directory = await workspace.makeDirectory(`step-${index + 1}`);
    const stepContext = { inputs, assets: assets[index] ?? {}, canCompare, fontsDirectory, memory };
    const { encoder, runs } = recordRuns(deps.media);
    const sources = inputs;
    const damage = () => sources.flatMap((source) => damageOfRuns(runs, source));
    try {
      const planned = planStep(step, { ...stepContext, outputDirectory: directory });
      context.report({ stage: 'transcoding', fraction: index / count });
      const run = taskRunner({ ...deps, media: encoder }, context, { index, count, directory });
      const plan = await executePlan(planned, withInputOptions(run, inputs));
      Object.assign(measurements, nameMeasurements(steps, index, plan.measurements));
      const dropped = inputs.flatMap(({ probe }) => stepWarnings(step, probe));
      const all = [...(plan.warnings ?? []), ...dropped, ...damageWarnings([...damage(), ...(plan.damage ?? [])])];
      warnings.push(...nameWarnings(steps, index, all));
      const written = { outputs: plan.outputs, directory, workspace };
      const measured = await measureOutputs(deps, context, written);
      for (const path of unread) await workspace.removePath(path);
      const isLast = index === count - 1;
      const isResult = isLast || step.name !== undefined;
      if (isResult) outputs.push(...measured.map((output) => withName(step, output)));
      unread = isResult ? [] : [directory];
      const [output] = isLast ? [] : measured;
      intermediate = output && {
        ...output,
        probe: await deps.media.probe(output.path, {
          signal: context.signal,
          readsCaptions: dependOnCaptions(steps, index + 1),
        }),
      };
      if (intermediate !== undefined) inputs = [toInput(intermediate)];
    } catch (cause) {
      throw addStepToError(explainByDamage(cause, damage()), steps, index);
    }
  }
  return { outputs, measurements, warnings, intermediate };
}

/** The position of a step, from 0, in a job of `count` steps; `directory` is where its tasks write. */
type StepPosition = { index: number; count: number; directory: string };

/** Runs tasks of one step, and reports their progress as progress of the whole job. */
export function taskRunner(
  { media, clock, stallSeconds, limits }: JobPorts,
  { report, signal, deadline }: WorkerContext,
  { index, count, directory }: StepPosition,
): RunTask {
  return (task, { from, to, isLast }) =>
    runTask(media, task, {
      directory,
      signal,
      timeLimitSeconds: remainingSeconds(clock, deadline),
      stallSeconds,
      lengthLimit: { maxFps: Math.max(maxOutputFps, limits.framesPerSecond) },
      onProgress: ({ percent, remainingSeconds: untilEnd }) =>
        report({
          stage: 'transcoding',
          fraction: (index + from + ((to - from) * percent) / 100) / count,
          // ffmpeg estimates the end of its own command: only the estimate of the last command is the job's.
          remainingSeconds: isLast && index === count - 1 ? untilEnd : undefined,
        }),
    });
}

function withName(step: Step, output: MeasuredOutput): MeasuredOutput {
  return { ...output, planned: nameOutput(step, output.planned) };
}

/** The output of a step as the input of the next one. */
export function toInput({ path, probe }: MeasuredOutput): MediaFile {
  if (probe === undefined) throw new TypeError('A step follows one that has no media output');
  return { path, probe };
}
