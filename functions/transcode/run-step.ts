import { executePlan, type MediaFile, withInputOptions } from '@media-jobs/video/encoding';
import { recordRuns, type Workspace } from '@media-jobs/video/ffmpeg';
import { damageOfRuns, damageWarnings, explainByDamage, type JobWarning } from '@media-jobs/video/media';
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
import { encodedFraction } from '../../core/jobs/progress.ts';
import { measureOutputs } from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { taskRunner, type WorkerContext } from '../../core/worker/worker-context.ts';
import { type FetchedInputs, stepAt } from './graph-state.ts';

/** A step of a job, on files that are on this disk. */
export type StepToRun = {
  steps: readonly Step[];
  /** The number of the step, from 0. */
  index: number;
  inputs: readonly MediaFile[];
  fetched: Pick<FetchedInputs, 'assets' | 'canCompare'>;
  workspace: Workspace;
  /** The shares of the steps in the work. */
  shares?: readonly number[] | undefined;
};

export type StepResult = {
  outputs: readonly MeasuredOutput[];
  measurements: Record<string, number>;
  warnings: readonly JobWarning[];
  /** The output, probed as an input of the steps that read it. Undefined if none does. */
  output: MediaFile | undefined;
};

/** Runs a step. Its errors name it. */
export async function runStep(deps: JobPorts, context: WorkerContext, run: StepToRun): Promise<StepResult> {
  const { steps, index, inputs, workspace } = run;
  const { encoder, runs } = recordRuns(deps.media);
  const damage = () => inputs.flatMap((source) => damageOfRuns(runs, source));
  try {
    const directory = await workspace.makeDirectory(`step-${index + 1}`);
    const step = stepAt(run);
    const { assets, canCompare } = run.fetched;
    const ofStep = assets[index] ?? {};
    if (ofStep instanceof Error) throw ofStep;
    const { fontsDirectory, memory } = deps;
    const stepContext = { inputs, assets: ofStep, canCompare, fontsDirectory, memory, outputDirectory: directory };
    const planned = planStep(step, stepContext);
    const position = { index, shares: run.shares, count: steps.length, directory };
    context.report({ stage: 'transcoding', fraction: encodedFraction(position, { index, fraction: 0 }) });
    const plan = await executePlan(
      planned,
      withInputOptions(taskRunner({ ...deps, media: encoder }, context, position), inputs),
    );
    const dropped = inputs.flatMap(({ probe }) => stepWarnings(step, probe));
    const all = [...(plan.warnings ?? []), ...dropped, ...damageWarnings([...damage(), ...(plan.damage ?? [])])];
    const written = { folder: step.name, outputs: plan.outputs, directory, workspace };
    const measured = await measureOutputs(deps, context, written);
    return {
      outputs: measured.map((output) => ({ ...output, planned: nameOutput(step, output.planned) })),
      measurements: nameMeasurements(steps, index, plan.measurements),
      warnings: nameWarnings(steps, index, all),
      output: await probeForReaders(deps, context, { steps, index, measured }),
    };
  } catch (cause) {
    throw addStepToError(explainByDamage(cause, damage()), steps, index);
  }
}

async function probeForReaders(
  { media }: JobPorts,
  { signal }: WorkerContext,
  { steps, index, measured: [output] }: { steps: readonly Step[]; index: number; measured: readonly MeasuredOutput[] },
): Promise<MediaFile | undefined> {
  if (output === undefined || !steps.some(({ from }) => from === index)) return undefined;
  const { path } = output;
  const readsCaptions = dependOnCaptions(steps, index + 1);
  return { path, probe: await media.probe(path, { signal, readsCaptions }) };
}
