import type { MediaFile } from '../../core/encoding/plan.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import type { Step } from '../../core/recipes/pipeline/steps.ts';
import { addStepToError } from '../../core/recipes/pipeline/validate-pipeline.ts';
import type { FetchedInputs } from '../transcode/fetch-inputs.ts';
import type { WorkerContext, WorkerDeps } from '../transcode/process-job.ts';
import { type MeasuredOutput, measureOutputs } from './measure-outputs.ts';
import { runStep } from './run-step.ts';

export type StepResults = { kept: MeasuredOutput[]; measurements: Record<string, number> };

/**
 * Runs the steps of a job, each on what the one before it made. Kept are the outputs of the last step and of those
 * with a name; the inputs, and what another step made, go as soon as the next one has read them.
 */
export async function runSteps(
  ports: WorkerDeps,
  context: WorkerContext,
  { steps, fetched, workspace }: { steps: readonly Step[]; fetched: FetchedInputs; workspace: Workspace },
): Promise<StepResults> {
  const kept: MeasuredOutput[] = [];
  const measurements: Record<string, number> = {};
  const { assets, filters } = fetched;
  const { fontsDirectory } = ports;
  let { inputs } = fetched;
  let passing = inputs.map(({ path }) => path);
  for (const [index, step] of steps.entries()) {
    const directory = await workspace.makeDirectory(`step-${index + 1}`);
    const where = { fontsDirectory, outputDirectory: directory };
    const place = { inputs, assets: assets[index] ?? {}, filters, ...where };
    try {
      const plan = await runStep(ports, context, { step, index, count: steps.length, place });
      for (const [figure, value] of Object.entries(plan.measurements ?? {})) {
        measurements[steps.length === 1 ? figure : `${step.name ?? `step-${index + 1}`}.${figure}`] = value;
      }
      const finished = await measureOutputs(ports, context, { plan, directory, workspace });
      for (const path of passing) await workspace.free(path);
      const isLast = index === steps.length - 1;
      const isKept = isLast || step.name !== undefined;
      if (isKept) kept.push(...finished.map((file) => called(step, file)));
      passing = isKept ? [] : [directory];
      if (!isLast) inputs = [asInput(finished)];
    } catch (cause) {
      throw addStepToError(cause, steps, index);
    }
  }
  return { kept, measurements };
}

/** The only output of a step under the name that the request gives it. */
function called({ name }: Step, file: MeasuredOutput): MeasuredOutput {
  const { planned } = file;
  if (name === undefined || planned.name !== 'output') return file;
  return { ...file, planned: { ...planned, name, filename: planned.filename.replace(/^output/, name) } };
}

function asInput([first]: readonly MeasuredOutput[]): MediaFile {
  if (first?.probe === undefined) throw new TypeError('A step was planned on nothing');
  return { path: first.path, probe: first.probe };
}
