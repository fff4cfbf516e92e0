import type { WorkerMemory } from '../../encoding/encoder-memory.ts';
import { JobError } from '../../errors.ts';
import { forecastGraph, type GraphFiles } from './forecast-graph.ts';
import type { Step } from './steps.ts';

/** Whether the encodings of a job fit into the memory of a worker; without `memory` there is no limit. */
export function fitsMemory(
  steps: readonly Step[],
  files: Omit<GraphFiles, 'memory'>,
  memory: WorkerMemory | undefined,
): boolean {
  if (memory === undefined) return true;
  try {
    const { ended } = forecastGraph(steps, { ...files, memory });
    return ![...ended.values()].some((end) => end.is === 'failed' && end.error.code === 'INPUT_TOO_LARGE');
  } catch (cause) {
    // Of what planning rejects, only memory has this code.
    if (cause instanceof JobError && cause.code === 'INPUT_TOO_LARGE') return false;
    throw cause;
  }
}
