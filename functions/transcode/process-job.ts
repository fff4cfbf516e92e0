import type { StoredFile } from '../../core/jobs/stored-file.ts';
import { readSteps } from '../../core/recipes/pipeline/steps.ts';
import { validatePipeline } from '../../core/recipes/pipeline/validate-pipeline.ts';
import { storeOutputs } from '../worker/store-outputs.ts';
import type { TranscodeDeps, WorkerContext } from '../worker/worker-deps.ts';
import { fetchInputs, totalMediaSeconds } from './fetch-inputs.ts';
import { planChunkedWork } from './plan-chunked-work.ts';
import { runSteps } from './run-steps.ts';
import { type StoredChunkPlan, storeChunkPlan } from './start-execution.ts';

export type JobResult = {
  files: Record<string, StoredFile>;
  inputSizeBytes: number;
  /** Duration of all inputs together; undefined if all of them are images. */
  mediaSeconds?: number;
  measurements?: Record<string, number>;
};

/**
 * Downloads, validates, encodes, measures and uploads. A video that is to be encoded in chunks is not encoded here: only its chunk plan is stored.
 * @throws JobError an error that the job's owner reads; any other error is internal
 */
export async function processJob(
  deps: TranscodeDeps,
  context: WorkerContext,
): Promise<JobResult | { chunkPlan: StoredChunkPlan }> {
  const steps = readSteps(context.job.request);
  const workspace = await deps.openWorkspace();
  const fetched = await fetchInputs(deps, context, { steps, workspace });
  validatePipeline(steps, fetched);
  const chunked = await planChunkedWork(deps, context, { steps, fetched, workspace });
  if (chunked !== undefined) return { chunkPlan: await storeChunkPlan(deps, context, chunked) };
  const { outputs, measurements } = await runSteps(deps, context, { steps, fetched, workspace });
  const files = await storeOutputs(deps, context, outputs);
  return {
    files,
    inputSizeBytes: fetched.inputSizeBytes,
    mediaSeconds: totalMediaSeconds(fetched.inputs),
    measurements: Object.keys(measurements).length === 0 ? undefined : measurements,
  };
}
