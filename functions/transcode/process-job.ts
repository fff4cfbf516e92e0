import { wallSeconds } from '../../core/cost-model/processors.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { readSteps } from '../../core/recipes/pipeline/steps.ts';
import { validatePipeline } from '../../core/recipes/pipeline/validate-pipeline.ts';
import { deliver } from '../publish/deliver.ts';
import { fetchUndelivered } from '../publish/fetch-undelivered.ts';
import type { Published } from '../publish/publish-result.ts';
import { describeOutputs } from '../worker/store-outputs.ts';
import type { TranscodeDeps, WorkerContext } from '../worker/worker-deps.ts';
import { fetchInputs, totalMediaSeconds } from './fetch-inputs.ts';
import type { LaneOfJob } from './lane-of-job.ts';
import { planChunkedWork } from './plan-chunked-work.ts';
import { requireFittingCost } from './require-fitting-cost.ts';
import { runSteps } from './run-steps.ts';
import { type StoredChunkPlan, storeChunkPlan } from './start-execution.ts';

/**
 * Downloads, validates, encodes, measures and uploads. A video that is to be encoded in chunks is not encoded here: only its chunk plan is stored.
 * @throws LongLaneFullError if it is long and no permit of long jobs is free
 * @throws JobError an error that the job's owner reads; any other error is internal
 */
export async function processJob(
  deps: TranscodeDeps,
  context: WorkerContext & Pick<LaneOfJob, 'expectSeconds'>,
): Promise<JobResult | { chunkPlan: StoredChunkPlan } | Published> {
  const { publishing, undelivered } = context.job;
  if (publishing !== undefined) return { publicationKey: publishing };
  const steps = readSteps(context.job.request);
  const workspace = await deps.openWorkspace();
  const waiting = undelivered && (await fetchUndelivered(deps, context, { undelivered, workspace }));
  if (waiting !== undefined) return deliver(deps, context, waiting);
  const fetched = await fetchInputs(deps, context, { steps, workspace });
  const cost = validatePipeline(steps, { ...fetched, memory: deps.memory });
  requireFittingCost(deps, context, { steps, fetched });
  const chunked = await planChunkedWork(deps, context, { steps, fetched, workspace, cost });
  if (chunked !== undefined)
    return { chunkPlan: await storeChunkPlan(deps, context, { ...chunked, inputs: fetched.downloaded }) };
  await context.expectSeconds(wallSeconds(cost.cpuSeconds, deps.processors));
  const { outputs, measurements } = await runSteps(deps, context, { steps, fetched, workspace });
  const mediaSeconds = totalMediaSeconds(fetched.inputs);
  return deliver(deps, context, {
    outputs: describeOutputs(deps, context, outputs),
    result: {
      inputSizeBytes: fetched.inputSizeBytes,
      ...(mediaSeconds === undefined ? {} : { mediaSeconds }),
      ...(Object.keys(measurements).length === 0 ? {} : { measurements }),
    },
  });
}
