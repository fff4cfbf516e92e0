import type { WorkerMemory } from '../encoding/encoder-memory.ts';
import { fitsMemory } from '../recipes/pipeline/fits-memory.ts';
import type { Step } from '../recipes/pipeline/steps.ts';
import { type PipelineFiles, type StepForecast, validatePipeline } from '../recipes/pipeline/validate-pipeline.ts';

/** What the steps that are left of a job are expected to take, and the workers whose memory holds their encodings. */
export type WorkForecast = {
  steps: readonly StepForecast[];
  fitsFunction: boolean;
  /** Plans the steps again: it is asked only if a function cannot end them. */
  fitsTask: () => boolean;
};

/**
 * Forecasts the steps that are left. They are planned for the memory of a function, or for that of a task of the stage if
 * a function does not hold their encodings.
 * @throws JobError `INPUT_UNSUPPORTED`, or `INPUT_TOO_LARGE` if no worker has the memory
 */
export function forecastWork(
  steps: readonly Step[],
  files: Omit<PipelineFiles, 'memory'>,
  { memory, taskMemory }: { memory: WorkerMemory | undefined; taskMemory?: WorkerMemory | undefined },
): WorkForecast {
  const fitsFunction = taskMemory === undefined || fitsMemory(steps, files, memory);
  return {
    steps: validatePipeline(steps, { ...files, memory: fitsFunction ? memory : taskMemory }),
    fitsFunction,
    fitsTask: () => taskMemory !== undefined && fitsMemory(steps, files, taskMemory),
  };
}
