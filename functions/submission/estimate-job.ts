import { costTable, type SlownessStore, slownessFor } from '@media-jobs/video/cost-model';
import { JobError } from '@media-jobs/video/errors';
import { assumedProbe, type InputLimits, type Probe } from '@media-jobs/video/probe';
import type { Step } from '@media-jobs/video/recipes';
import * as z from 'zod';
import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { Principal } from '../../core/access/authentication.ts';
import type { ContractInput } from '../../core/api/contract.ts';
import type { estimateJobContract } from '../../core/api/estimate-job.ts';
import type { JobRequest } from '../../core/api/job-request.ts';
import { type AppError, invalidRequest } from '../../core/errors.ts';
import { viewWorkers } from '../../core/jobs/job-result.ts';
import type { Clock, JobRef, JobTable } from '../../core/jobs/ports.ts';
import { findJob } from '../../core/jobs/view.ts';
import type { ReadablePresets } from '../../core/presets/preset.ts';
import { withResolvedRequest } from '../../core/presets/resolve/resolve-request.ts';
import type { JobEstimate } from '../../core/pricing/estimate.ts';
import { estimateRequest } from '../../core/pricing/estimate-request.ts';
import type { PricedWorkers } from '../../core/pricing/fargate-computer.ts';
import { costParts, defaultPrices } from '../../core/pricing/region-prices.ts';
import {
  assertAllowedUrls,
  chooseSpeed,
  type RequestUrlRules,
  type StageSpeeds,
} from '../../core/submission/accept-job.ts';
import { chooseDestination, type StorageUseDeps } from '../../core/submission/choose-destination.ts';

export type EstimateJobDeps = StorageUseDeps & {
  jobs: Pick<JobTable, 'get'>;
  /** The text of a stored output; undefined once it has expired. */
  readOutput: (key: string) => Promise<string | undefined>;
  urlRules: RequestUrlRules;
  workers: PricedWorkers;
  inputLimits: InputLimits;
  speeds: StageSpeeds;
  clock: Pick<Clock, 'now'>;
  slowness: Pick<SlownessStore, 'read'>;
  presets: Pick<ReadablePresets, 'versions'>;
};

/** Validates a request as createJob does, and estimates its time and price from what is known of its source. */
export function estimateJob(deps: EstimateJobDeps): RouteApp<typeof estimateJobContract> {
  return async ({ body: { media, probeJobId, ...job }, principal }) =>
    withResolvedRequest({ presets: deps.presets, ownerId: principal.ownerId, job }, ({ request }) =>
      estimateResolved(deps, { principal, media, probeJobId, request }),
    );
}

type KnownSource = Pick<ContractInput<typeof estimateJobContract>['body'], 'media' | 'probeJobId'>;

async function estimateResolved(
  deps: EstimateJobDeps,
  { principal, media, probeJobId, request }: KnownSource & { principal: Principal; request: JobRequest },
) {
  const { urlRules, workers, slowness } = deps;
  const { ownerId } = principal;
  assertAllowedUrls(request, ownerId, urlRules);
  const destination = await chooseDestination(deps, ownerId, request);
  const { speed = 'standard' } = chooseSpeed(request, { principal, speeds: deps.speeds, now: deps.clock.now() });
  const measured = probeJobId === undefined ? undefined : await readProbe(deps, { ownerId, jobId: probeJobId });
  const probe = measured ?? (media && assumedProbe(media));
  const sourceField = measured === undefined ? 'media' : 'probeJobId';
  if (probe === undefined) throw new TypeError('A request has media or probeJobId');
  const table = { ...costTable, slowness: slownessFor(await slowness.read(), ownerId) };
  try {
    const { steps, seconds, usd, breakdown, chunks, shares, ...estimate } = estimateRequest(
      { request, destination, probe, speed, table, inputLimits: deps.inputLimits },
      workers,
    );
    const rounded = costParts.map((name) => ({ name, usd: round(breakdown[name], 6) }));
    const parts = rounded.filter(({ usd }) => usd > 0);
    const { region, readOn } = workers.prices ?? defaultPrices;
    return {
      status: 200 as const,
      body: {
        seconds: { p50: round(seconds.p50, 1), p90: round(seconds.p90, 1) },
        usd: { p50: sumOf(parts), p90: round(usd.p90, 6) },
        parts,
        chunks,
        ...viewWorkers({ steps: undefined, outputs: undefined, ...request }, estimate.workers),
        outputs: outputsOf(steps, shares),
        prices: { region, readOn },
      },
    };
  } catch (cause) {
    // The source does not suit the recipe: the job would be rejected for it.
    if (cause instanceof JobError) throw invalidRequest([{ path: sourceField, message: cause.message }]);
    throw cause;
  }
}

/** The share of each output of a job of several; undefined for any other. */
function outputsOf(steps: readonly Step[], shares: JobEstimate['shares']) {
  if (steps[0]?.output === undefined) return undefined;
  const ofOutputs = [...shares].map(([index, { usd, seconds }]) => [
    steps[index]?.name ?? '',
    { usd: round(usd, 6), seconds: round(seconds, 1) },
  ]);
  return Object.fromEntries(ofOutputs);
}

const probeSchema = z.custom<Probe>((value) => Array.isArray((value as Probe | undefined)?.streams));

/**
 * The properties that a probe job has measured.
 * @throws AppError NOT_FOUND for an unknown job, VALIDATION_ERROR for a job without a readable probe
 */
async function readProbe({ jobs, readOutput }: EstimateJobDeps, ref: JobRef): Promise<Probe> {
  const job = await findJob(jobs, ref);
  if (job.request.recipe?.name !== 'probe') throw invalidProbe('The job is not one of the recipe probe');
  if (job.state !== 'completed') throw invalidProbe(`The job is not completed: it is ${job.state}`);
  const { output } = job.files;
  if (output?.storage) {
    throw invalidProbe('The file of the job is at a storage provider, where an estimate does not read it');
  }
  const text = output && (await readOutput(output.key));
  if (text === undefined) throw invalidProbe('The file of the job has expired');
  return probeSchema.parse(JSON.parse(text));
}

function invalidProbe(message: string): AppError {
  return invalidRequest([{ path: 'probeJobId', message }]);
}

/** The parts as they are shown: rounded, they may not add up to the rounded sum. */
function sumOf(parts: readonly { usd: number }[]): number {
  return round(
    parts.reduce((sum, { usd }) => sum + usd, 0),
    6,
  );
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
