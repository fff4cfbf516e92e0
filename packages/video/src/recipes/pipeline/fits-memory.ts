import type { WorkerMemory } from '../../encoding/encoder-memory.ts';
import { JobError } from '../../errors.ts';
import type { Step } from './steps.ts';
import { type PipelineFiles, validatePipeline } from './validate-pipeline.ts';

/** Whether the encodings of a job fit into the memory of a worker; without `memory` there is no limit. */
export function fitsMemory(
  steps: readonly Step[],
  files: Omit<PipelineFiles, 'memory'>,
  memory: WorkerMemory | undefined,
): boolean {
  if (memory === undefined) return true;
  try {
    validatePipeline(steps, { ...files, memory });
    return true;
  } catch (cause) {
    // Of what planning rejects, only memory has this code.
    if (cause instanceof JobError && cause.code === 'INPUT_TOO_LARGE') return false;
    throw cause;
  }
}
