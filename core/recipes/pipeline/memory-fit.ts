import type { MemoryFit, WorkerMemory } from '../../encoding/encoder-memory.ts';
import { JobError } from '../../errors.ts';
import type { Step } from './steps.ts';
import { type PipelineFiles, validatePipeline } from './validate-pipeline.ts';

/** How the encodings of a job fit into the memory of a worker; without `memory` there is no limit. */
export function memoryFit(
  steps: readonly Step[],
  files: Omit<PipelineFiles, 'memory'>,
  memory: WorkerMemory | undefined,
): MemoryFit {
  if (memory === undefined || fits(steps, { ...files, memory: { ...memory, keepsBuffers: true } }))
    return 'usual';
  return fits(steps, { ...files, memory }) ? 'reduced' : 'none';
}

function fits(steps: readonly Step[], files: PipelineFiles): boolean {
  try {
    validatePipeline(steps, files);
    return true;
  } catch (cause) {
    // Of what planning rejects, only memory has this code.
    if (cause instanceof JobError && cause.code === 'INPUT_TOO_LARGE') return false;
    throw cause;
  }
}
