import { expectedSeconds } from '@media-jobs/video/cost-model';
import type { WorkPass } from '@media-jobs/video/decide';
import { executePlan, type MediaFile, withInputOptions } from '@media-jobs/video/encoding';
import { recordRuns, type Workspace } from '@media-jobs/video/ffmpeg';
import { damageOfRuns, damageWarnings, explainByDamage, type JobWarning, joinWarnings } from '@media-jobs/video/media';
import {
  addStepToError,
  dependOnCaptions,
  nameMeasurements,
  nameOutput,
  nameWarnings,
  planStep,
  type Step,
  stepWarnings,
  totalCost,
} from '@media-jobs/video/recipes';
import { learnFromJob, timeRuns } from '../../core/worker/measured-slowness.ts';
import { measureOutputs } from '../../core/worker/outputs.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { taskRunner } from '../../core/worker/task-runner.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import type { Attempt } from './attempt.ts';
import type { FetchedInputs, JobForecast, PipelineState } from './pipeline-state.ts';
import { downloadSource } from './remote-source.ts';
import { reportPass } from './report-chunking.ts';

/** Runs the steps of a single pass, and learns from their time. `queue-full`: the job is long, and has to wait. */
export async function runPass(
  { deps, context, longQueue }: Attempt,
  { forecast, state, pass }: { forecast: JobForecast; state: PipelineState; pass: WorkPass },
): Promise<PipelineState | 'queue-full'> {
  reportPass(context, { forecast, state, pass });
  const { work, table } = forecast;
  const cost = totalCost(work.steps.filter(({ index }) => index >= pass.from && index < pass.to));
  const fetched = await downloadSource(deps, context, state);
  const queue = await longQueue?.expectSeconds(expectedSeconds(cost, deps.processors));
  if (queue === 'full') return 'queue-full';
  const { encoder, seconds } = timeRuns(deps.media, deps.clock);
  const ran = await runStepsUntil({ ...deps, media: encoder }, context, { ...state, fetched }, pass.to);
  if (deps.kind === 'function') await learnFromJob(deps, context.job, { cost, table, seconds: seconds() });
  return ran;
}

/** Runs the next steps up to the one with the number `to`. */
async function runStepsUntil(
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

function withName(step: Step, output: MeasuredOutput): MeasuredOutput {
  return { ...output, planned: nameOutput(step, output.planned) };
}

/** The output of a step as the input of the next one. */
function toInput({ path, probe }: MeasuredOutput): MediaFile {
  if (probe === undefined) throw new TypeError('A step follows one that has no media output');
  return { path, probe };
}
