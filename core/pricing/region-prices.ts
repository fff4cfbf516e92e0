import * as z from 'zod';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import { keepDaysOf } from '../jobs/retention.ts';
import { type PriceName, prices, pricesReadOn, pricesRegion } from './prices.ts';
import regional from './region-prices.json' with { type: 'json' };

/** Dollars by name of the price; `prices` has the unit of each. */
export type Prices = Readonly<Record<PriceName, number>>;

/** The prices of a region, as known to a deployment. */
export const regionPricesSchema = z.object({
  region: z.string(),
  /** The UTC day on which they were read. */
  readOn: z.iso.date(),
  /** Dollars of the prices that differ from those of `us-east-1`. */
  differing: z.partialRecord(z.enum(Object.keys(prices) as [PriceName]), z.number().min(0)),
});

type RegionPrices = z.output<typeof regionPricesSchema>;

/** The prices of `us-east-1`. */
export const defaultPrices: RegionPrices = { region: pricesRegion, readOn: pricesReadOn, differing: {} };

const defaultDollars = Object.fromEntries(
  Object.entries(prices).map(([name, { dollars }]) => [name, dollars]),
) as Prices;

export function dollarsOf({ differing }: RegionPrices): Prices {
  return { ...defaultDollars, ...differing };
}

const rows: Readonly<Record<string, readonly (number | null)[]>> = regional.regions;

/** The columns of `region-prices.json`. */
export const regionalNames = regional.sources.flatMap((source) => source.prices) as PriceName[];

/**
 * The prices of a region; those of `us-east-1` if they are unknown. For deployments and tools: functions get the prices of
 * their region in their environment, so that no bundle has those of all.
 */
export function pricesOf(region: string): RegionPrices {
  const row = rows[region];
  if (row === undefined) return defaultPrices;
  const defaults = dollarsOf(defaultPrices);
  const differing = regionalNames.flatMap((name, column) => {
    const dollars = row[column] ?? defaults[name];
    return dollars === defaults[name] ? [] : [[name, dollars] as const];
  });
  return { region, readOn: regional.readOn, differing: Object.fromEntries(differing) };
}

/** Names of the parts of a job's cost, for the API. */
export const costParts = [
  'transcoding',
  'disk',
  'chunks',
  'fargate',
  'api',
  'records',
  'webhook',
  'files',
  'logs',
  'traces',
] as const;

export const pricedFargateSchema = z.object({
  vcpus: z.number().positive(),
  memoryMb: z.int().min(1),
  storageGb: z.number().min(0),
  hasPublicAddress: z.boolean(),
  /** Undefined if the stage has no pool. */
  pool: z.object({ fallback: z.enum(['on-demand', 'wait']) }).optional(),
});

/** What prices depend on: the region, the functions with ffmpeg as deployed, and how long files are kept. */
export const pricedStageSchema = z.object({
  architecture: z.enum(['arm64', 'x86_64']),
  memoryMb: z.int().min(1),
  /** Days that S3 bills the bytes of an output. */
  retentionDays: z.number().positive(),
  /** Those of them that follow its removal. Left out without any. */
  deletedFileDays: z.number().positive().optional(),
  /** Seconds from the claim of a job to its end, besides its encoding and its transfers. Undefined: the assumed seconds of Lambda. */
  claimedSeconds: z.number().positive().optional(),
  /** Undefined: those of us-east-1. */
  prices: regionPricesSchema.optional(),
  /** Undefined if the stage has no Fargate tasks. */
  fargate: pricedFargateSchema.optional(),
});

export type PricedStage = z.output<typeof pricedStageSchema>;

/** The days that are priced of files that stay until their job is deleted. */
const unlimitedDays = 365;

/** Days that S3 bills the bytes of an output, which its folder names. */
export function storageDays(
  request: JobRequestRecord,
  folder: string,
  { retentionDays, deletedFileDays = 0 }: PricedStage,
): number {
  const keepDays = keepDaysOf(request, folder);
  return keepDays === undefined ? retentionDays : (keepDays ?? unlimitedDays) + deletedFileDays;
}
