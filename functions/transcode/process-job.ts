import { expectedSeconds } from '../../core/cost-model/processors.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { readSteps } from '../../core/recipes/pipeline/steps.ts';
import { validatePipeline } from '../../core/recipes/pipeline/validate-pipeline.ts';
import { deliver } from '../publish/deliver.ts';
import { fetchUndelivered } from '../publish/fetch-undelivered.ts';
import type { Published } from '../publish/publish-result.ts';
import { requireFreeCaps } from '../spending/reserve-cost.ts';
import { learnFromJob, measuredCosts, timeRuns } from '../worker/measured-slowness.ts';
import type { TranscodeDeps, WorkerContext } from '../worker/worker-deps.ts';
import { downloadSource } from './download-source.ts';
import { encodeJob } from './encode-job.ts';
import { ExceedsFunctionError, fittingDownloads } from './exceeds-function.ts';
import { fetchInputs, type RemoteFetch } from './fetch-inputs.ts';
import type { LaneOfJob } from './lane-of-job.ts';
import { planChunkedWork } from './plan-chunked-work.ts';
import { removeCopy } from './remote-source.ts';
import { requireFittingCost } from './require-fitting-cost.ts';
import { type StoredChunkPlan, storeChunkPlan } from './start-execution.ts';

/**
 * Fetches, validates, encodes, measures and uploads. A video that is to be encoded in chunks is not encoded here: only its
 * chunk plan is stored. A large source is downloaded only for a single pass.
 * @throws ExceedsFunctionError if only a Fargate task can end the job
 * @throws LongLaneFullError if it is long and no permit of long jobs is free
 * @throws JobError an error that the job's owner reads; any other error is internal
 */
export async function processJob(
  deps: TranscodeDeps,
  context: WorkerContext & Pick<LaneOfJob, 'expectSeconds'> & Pick<RemoteFetch, 'onCopy'>,
): Promise<JobResult | { chunkPlan: StoredChunkPlan } | Published> {
  const { publishing, undelivered, fargateReason } = context.job;
  if (publishing !== undefined) return { publicationKey: publishing };
  const steps = readSteps(context.job.request);
  const workspace = await deps.openWorkspace();
  const waiting = undelivered && (await fetchUndelivered(deps, context, { undelivered, workspace }));
  if (waiting !== undefined) return deliver(deps, context, waiting);
  await requireFreeCaps(deps, context.job);
  if (fargateReason !== undefined && deps.fargate !== undefined)
    throw new ExceedsFunctionError(fargateReason);
  await using proxies = new AsyncDisposableStack();
  await using copies = new AsyncDisposableStack();
  const { openRangeProxy } = deps;
  const onCopy = () => {
    context.onCopy();
    copies.defer(() => removeCopy(deps, context));
  };
  const located = await fetchInputs(fittingDownloads(deps), context, {
    ...{ steps, workspace },
    remote: { openRangeProxy, fromBytes: deps.chunking.rangesFromBytes, proxies, onCopy },
  });
  const table = await measuredCosts(deps, context.job);
  const cost = validatePipeline(steps, { ...located, memory: deps.memory, table });
  await requireFittingCost(deps, context, { steps, fetched: located, table });
  const chunked = await planChunkedWork(deps, context, { steps, fetched: located, workspace, cost, table });
  if (chunked !== undefined) {
    const { downloaded: inputs } = located;
    const chunkPlan = await storeChunkPlan(deps, context, { ...chunked, inputs });
    // The chunk tasks read the copy.
    copies.move();
    return { chunkPlan };
  }
  const fetched = await downloadSource(deps, context, { fetched: located, workspace });
  await context.expectSeconds(expectedSeconds(cost, deps.processors));
  const { encoder, seconds } = timeRuns(deps.encoder, deps.clock);
  const result = await encodeJob({ ...deps, encoder }, context, { steps, fetched, workspace });
  await learnFromJob(deps, context.job, { cost, table, seconds: seconds() });
  return result;
}
