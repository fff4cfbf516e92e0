import * as z from 'zod';

/** The cost of an ended job by part, in billionths of a dollar: whole numbers, so that sums are exact. */
export const jobCostSchema = z.record(z.string(), z.int().min(0));

export type JobCost = z.infer<typeof jobCostSchema>;

/** The sum of all parts, in billionths of a dollar. */
export function nanoUsdOf(cost: JobCost): number {
  return Object.values(cost).reduce((sum, nanoUsd) => sum + nanoUsd, 0);
}

/** Dollars. */
export function usdOf(nanoUsd: number): number {
  return nanoUsd / 1e9;
}

/** A cost as the API returns it. Parts that cost nothing are left out. */
export const costViewSchema = z
  .object({
    usd: z.number().min(0),
    parts: z.array(z.object({ name: z.string(), usd: z.number().min(0) })),
  })
  .meta({
    id: 'JobCost',
    description:
      'Dollars that the job has cost: its functions, requests, records and logs, its webhook at the first attempt, and the storage of its files until they expire.',
  });

/** A stored cost as the API returns it, in dollars. */
export function viewCost(cost: JobCost): z.output<typeof costViewSchema> {
  const parts = Object.entries(cost).filter(([, nanoUsd]) => nanoUsd > 0);
  return {
    usd: usdOf(nanoUsdOf(cost)),
    parts: parts.map(([name, nanoUsd]) => ({ name, usd: usdOf(nanoUsd) })),
  };
}
