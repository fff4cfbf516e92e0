import * as z from 'zod';

/** The cost of an ended job by part, in billionths of a dollar: whole numbers, so that sums are exact. */
export const jobCostSchema = z.record(z.string(), z.int().min(0));

export type JobCost = z.infer<typeof jobCostSchema>;

/** The sum of all parts, in billionths of a dollar. */
export function nanoUsdOf(cost: JobCost): number {
  return Object.values(cost).reduce((sum, nanoUsd) => sum + nanoUsd, 0);
}

export function usdOf(nanoUsd: number): number {
  return nanoUsd / 1e9;
}

/** The dollars that a job may cost by its request and its caps. Infinity without a limit. */
export function costLimitOf({ request, costLimitUsd }: LimitedJob): number {
  return Math.min(request.maxCostUsd ?? Number.POSITIVE_INFINITY, costLimitUsd ?? Number.POSITIVE_INFINITY);
}

/** Whether a job has a limit. Without one its worker reckons no prices. */
export function hasCostLimit(job: LimitedJob): boolean {
  return costLimitOf(job) !== Number.POSITIVE_INFINITY;
}

type LimitedJob = { request: { maxCostUsd?: number | undefined }; costLimitUsd?: number | undefined };

/** The share of each output of a job of several. */
export const outputCostsSchema = z
  .record(z.string(), z.object({ usd: z.number().min(0), seconds: z.number().min(0) }))
  .meta({ description: 'Of each output: seconds of its work, and its share of the dollars.' });

/** A cost as the API returns it. Parts that cost nothing are left out. */
export const costViewSchema = z
  .object({
    usd: z.number().min(0),
    parts: z.array(z.object({ name: z.string(), usd: z.number().min(0) })),
    outputs: outputCostsSchema.optional(),
  })
  .meta({
    id: 'JobCost',
    description:
      'Dollars that the job has cost: its functions, requests, records and logs, its webhook at the first attempt, and the storage of its files until they expire.',
  });

/** A stored cost as the API returns it, in dollars. */
export function viewCost(cost: JobCost, outputMs?: Record<string, number>): z.output<typeof costViewSchema> {
  const parts = Object.entries(cost).filter(([, nanoUsd]) => nanoUsd > 0);
  return {
    usd: usdOf(nanoUsdOf(cost)),
    parts: parts.map(([name, nanoUsd]) => ({ name, usd: usdOf(nanoUsd) })),
    outputs: outputMs && costsOfOutputs(nanoUsdOf(cost), outputMs),
  };
}

function costsOfOutputs(nanoUsd: number, outputMs: Record<string, number>): z.output<typeof outputCostsSchema> {
  const all = Object.values(outputMs).reduce((sum, ms) => sum + ms, 0);
  const costs = Object.entries(outputMs).map(([name, ms]) => {
    const ofOutput = all === 0 ? 0 : Math.round((nanoUsd * ms) / all);
    return [name, { usd: usdOf(ofOutput), seconds: ms / 1000 }];
  });
  return Object.fromEntries(costs);
}
