import type { CostTable } from '../../cost-model/cost-table.ts';
import { type PlanCost, planCost } from '../../cost-model/plan-cost.ts';
import type { Encoding } from '../../encoding/encoding.ts';
import type { MediaFile, PendingPlan, Plan, PlannedOutput } from '../../encoding/plan.ts';
import { prefixJobError, rejectInput } from '../../errors.ts';
import { endSecondsOf, mainVideo } from '../../media/probe/streams.ts';
import { expectedFile } from './expected-file.ts';
import { planStep, type Step, type StepContext, stepLabel } from './steps.ts';

export type PipelineFiles = Pick<StepContext, 'inputs' | 'canCompare' | 'memory'> & {
  /** The number of the first step that is left, from 0. It reads the inputs. */
  from?: number | undefined;
  /** The assets of each step. */
  assets: readonly StepContext['assets'][];
  table?: CostTable | undefined;
};

/** What is expected of a step. */
export type StepForecast = {
  /** Its number, from 0. */
  index: number;
  isIntermediate: boolean;
  /** The name of its recipe. */
  recipe: string;
  cost: PlanCost;
  /** The encoding of a video, which may be split into chunks; left out if there is none. */
  chunkable?: ChunkableVideo | undefined;
};

export type ChunkableVideo = {
  encoding: Encoding;
  /** Of its sources together; undefined if one does not state when its video ends. */
  durationSeconds: number | undefined;
  outputs: readonly PlannedOutput[];
};

/** Placeholders: nothing is read or written yet. */
const unusedDirectories = { fontsDirectory: '.', outputDirectory: '.' };

/**
 * Plans every step that is left before anything is encoded, each on the expected output of the step before it. A step that
 * cannot follow is rejected at once instead of after the encodes before it.
 * @throws JobError `INPUT_UNSUPPORTED` or, for lack of memory, `INPUT_TOO_LARGE`, that names the step
 */
export function validatePipeline(
  steps: readonly Step[],
  { from = 0, inputs, assets, canCompare, memory, table }: PipelineFiles,
): StepForecast[] {
  let files = inputs;
  const forecasts: StepForecast[] = [];
  for (const [index, step] of steps.entries()) {
    if (index < from) continue;
    try {
      const context = {
        inputs: files,
        assets: assets[index] ?? {},
        canCompare,
        memory,
        ...unusedDirectories,
      };
      const plan = planStep(step, context);
      const { outputs } = plan;
      const cost = planCost(plan, [...files, ...Object.values(context.assets)], table);
      const { isIntermediate } = step;
      const recipe = step.recipe.name;
      forecasts.push({ index, isIntermediate, recipe, cost, chunkable: chunkableVideo(plan, files) });
      if (index === steps.length - 1) rejectNameConflicts(steps, outputs);
      else files = [expectedFile(outputs, step, files, cost)];
    } catch (cause) {
      throw addStepToError(cause, steps, index);
    }
  }
  return forecasts;
}

/** The cost of steps together. The files of intermediates are no output of the job. */
export function totalCost(forecasts: readonly StepForecast[]): PlanCost {
  const sumOf = (costs: readonly PlanCost[], field: Exclude<keyof PlanCost, 'encoders'>) =>
    costs.reduce((sum, cost) => sum + cost[field], 0);
  const all = forecasts.map(({ cost }) => cost);
  const delivered = forecasts.filter(({ isIntermediate }) => !isIntermediate).map(({ cost }) => cost);
  return {
    cpuSeconds: sumOf(all, 'cpuSeconds'),
    serialSeconds: sumOf(all, 'serialSeconds'),
    finalCpuSeconds: sumOf(all, 'finalCpuSeconds'),
    codecCpuSeconds: sumOf(all, 'codecCpuSeconds'),
    outputBytes: sumOf(delivered, 'outputBytes'),
    copiedBytes: sumOf(delivered, 'copiedBytes'),
    encoders: new Set(all.flatMap(({ encoders }) => [...encoders])),
  };
}

function chunkableVideo(
  { encoding, clips, outputs }: Plan | PendingPlan,
  inputs: readonly MediaFile[],
): ChunkableVideo | undefined {
  if (encoding === undefined) return undefined;
  const files = clips?.map(({ file }) => file) ?? inputs.slice(0, 1);
  const durationSeconds = files.reduce(
    (sum, { probe }) => sum + (endSecondsOf(probe, [mainVideo(probe)]) ?? Number.NaN),
    0,
  );
  return {
    encoding,
    durationSeconds: Number.isNaN(durationSeconds) ? undefined : durationSeconds,
    outputs,
  };
}

/** Names the step in an error of a job that has several. */
export function addStepToError(cause: unknown, steps: readonly Step[], index: number): unknown {
  return steps.length === 1 ? cause : prefixJobError(cause, stepLabel(steps, index));
}

/** A step can name a single output. Several outputs have names of their own, which no other step may use. */
function rejectNameConflicts(steps: readonly Step[], outputs: readonly PlannedOutput[]): void {
  const last = steps.at(-1);
  const isSingle = outputs.length === 1 && outputs[0]?.name === 'output';
  if (isSingle || last === undefined) return;
  if (last.name !== undefined) {
    rejectInput(`${last.recipe.name} names its files itself: leave out the name of the step`);
  }
  const conflict = outputs.find(({ name }) => steps.some((step) => step.name === name));
  if (conflict) {
    rejectInput(`${last.recipe.name} makes a file called ${conflict.name}, which is the name of another step`);
  }
}
