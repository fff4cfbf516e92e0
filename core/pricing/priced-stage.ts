import * as z from 'zod';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import { keepDaysOf } from '../jobs/retention.ts';
import { regionPricesSchema } from './region-prices.ts';

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
