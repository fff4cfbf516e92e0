import type { WorkerMemory } from '../encoding/encoder-memory.ts';
import { fitsMemory } from '../recipes/graph/fits-memory.ts';
import { forecastGraph, type GraphFiles, type GraphForecast } from '../recipes/graph/forecast-graph.ts';
import type { Step } from '../recipes/graph/steps.ts';

/** What the steps that are left of a job are expected to take, and the workers whose memory holds their encodings. */
export type WorkForecast = GraphForecast & {
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
  files: Omit<GraphFiles, 'memory'>,
  { memory, taskMemory }: { memory: WorkerMemory | undefined; taskMemory?: WorkerMemory | undefined },
): WorkForecast {
  const fitsFunction = taskMemory === undefined || fitsMemory(steps, files, memory);
  return {
    ...forecastGraph(steps, { ...files, memory: fitsFunction ? memory : taskMemory }),
    fitsFunction,
    fitsTask: () => taskMemory !== undefined && fitsMemory(steps, files, taskMemory),
  };
}
