import { type StepsInChunks, stepsInChunks } from '@media-jobs/video/chunking';
import type { CostTable } from '@media-jobs/video/cost-model';
import { expectedSeconds } from '@media-jobs/video/cost-model';
import { intermediatesBytes } from '@media-jobs/video/probe';
import { addStepToError, type StepForecast, totalCost } from '@media-jobs/video/recipes';
import type { JobResult } from '../../core/jobs/job-result.ts';
import type { PendingPublication } from '../../core/publish/publish-result.ts';
import { learnFromJob, timeRuns } from '../../core/worker/measured-slowness.ts';
import { remainingSeconds, type TranscodeDeps, type WorkerContext } from '../../core/worker/worker-deps.ts';
import type { CostContext } from './attempt.ts';
import { requireThisWorker } from './choose-single-pass-worker.ts';
import { downloadSource } from './download-source.ts';
import {
  beginSteps,
  type PipelineState,
  type RemainingSteps,
  runStepsUntil,
  storeIntermediate,
  storePipelineResult,
} from './encode-job.ts';
import type { LaneOfJob } from './lane-of-job.ts';
import { type PlannedChunkedWork, planChunkedWork } from './plan-chunked-work.ts';
import { reportChunking } from './report-chunking.ts';
import { type StoredChunkPlan, storeChunkPlan } from './start-execution.ts';

type Context = WorkerContext & CostContext & Pick<LaneOfJob, 'expectSeconds'>;

type Forecast = { forecasts: readonly StepForecast[]; table: CostTable };

/**
 * Encodes the steps that are left until the first one that is encoded in chunks. Of that one only the plan is stored, behind
 * what the steps before it have left.
 * @throws OtherWorkerError if another worker is to go on
 * @throws LongLaneFullError if the job is long and no permit of long jobs is free
 */
export async function processSteps(
  deps: TranscodeDeps,
  context: Context,
  { forecasts, table, ...remaining }: RemainingSteps & Forecast,
): Promise<JobResult | PendingPublication | { chunkPlan: StoredChunkPlan }> {
  const { steps, fetched } = remaining;
  const choice = chooseStepsInChunks(deps, context, forecasts);
  const first = beginSteps(remaining);
  let state = first;
  while (state.index < steps.length) {
    const next = await planNext(deps, context, { state, choice, forecasts, table });
    if ('to' in next) {
      state = await runSinglePass(deps, context, { state, forecasts, table, to: next.to });
      continue;
    }
    const stored = state === first ? undefined : await storeIntermediate(deps, context, state);
    const sources = stored === undefined ? next.sources : [stored.source];
    const inputs = fetched.downloaded;
    const chunkPlan = await storeChunkPlan(deps, context, { ...next, sources, inputs });
    return { chunkPlan: { ...chunkPlan, steps: stored?.steps } };
  }
  return storePipelineResult(deps, context, state);
}

/** Once for all steps that are left: what a worker does with some of them must not change the decision on the others. */
export function chooseStepsInChunks(
  { chunking, processors, clock }: TranscodeDeps,
  { job, deadline }: WorkerContext,
  forecasts: readonly StepForecast[],
): StepsInChunks {
  return stepsInChunks(forecasts, {
    settings: chunking,
    processors,
    speed: job.request.speed ?? 'standard',
    remainingSeconds: remainingSeconds(clock, deadline),
  });
}

/**
 * The plan of the next step in chunks; or the number of the step up to which this worker takes a single pass, which it can
 * end.
 */
export async function planNext(
  deps: TranscodeDeps,
  context: WorkerContext,
  { state, choice, forecasts, table }: Forecast & { state: PipelineState; choice: StepsInChunks },
): Promise<PlannedChunkedWork | { to: number }> {
  const { steps, index, fetched, workspace, result } = state;
  const { singlePassReasons, maxSinglePassSeconds } = choice;
  const following = forecasts.find((step) => step.index > index && !singlePassReasons.has(step.index));
  const to = following?.index ?? steps.length;
  const next = forecastsOf(forecasts, index, to);
  const singlePass = totalCost(next);
  const fitting = to - index > 1 ? keepingIntermediates(deps) : deps;
  const [forecast] = next;
  if (forecast === undefined) throw new TypeError(`Step ${index + 1} has no forecast`);
  if (!singlePassReasons.has(index)) {
    const { cost } = forecast;
    const work = { steps, index, to, fetched, workspace, result };
    const step = { ...work, cost, singlePass, table, maxSinglePassSeconds };
    const planned = await planChunkedWork(fitting, context, step).catch((cause: unknown) => {
      throw addStepToError(cause, steps, index);
    });
    return planned ?? { to };
  }
  const max = next.reduce((one, other) => (other.cost.cpuSeconds > one.cost.cpuSeconds ? other : one));
  const reason = singlePassReasons.get(max.index) ?? '';
  requireThisWorker(fitting, context, { steps, from: index, fetched, cost: singlePass, reason });
  const isDecided = context.job.request.speed === 'fast' && singlePassReasons.size === forecasts.length;
  if (isDecided) reportChunking(context, { steps, index: max.index }, { chunks: 1, reason });
  return { to };
}

async function runSinglePass(
  deps: TranscodeDeps,
  context: Context,
  { state, forecasts, table, to }: Forecast & { state: PipelineState; to: number },
): Promise<PipelineState> {
  const cost = totalCost(forecastsOf(forecasts, state.index, to));
  const fetched = await downloadSource(deps, context, state);
  await context.expectSeconds(expectedSeconds(cost, deps.processors));
  const { encoder, seconds } = timeRuns(deps.encoder, deps.clock);
  const ran = await runStepsUntil({ ...deps, encoder }, context, { ...state, fetched }, to);
  await learnFromJob(deps, context.job, { cost, table, seconds: seconds() });
  return ran;
}

function forecastsOf(forecasts: readonly StepForecast[], from: number, to: number): StepForecast[] {
  return forecasts.filter(({ index }) => index >= from && index < to);
}

/** Several steps in a single pass need disk for their intermediates. */
function keepingIntermediates(deps: TranscodeDeps): TranscodeDeps {
  return { ...deps, maxDownloadBytes: deps.maxDownloadBytes - intermediatesBytes };
}
