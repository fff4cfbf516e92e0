import type { PlanCost } from '../../cost-model/plan-cost.ts';
import { functionDiskBytes } from '../../media/probe/input-limits.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';

/**
 * Why the outputs of chunks cannot be joined on the disk of a function; undefined if they are expected to fit, or if S3
 * assembles them.
 */
export function joinDiskReason(
  { isAssembled, hasFinalFragments }: Pick<ChunkedWork, 'isAssembled' | 'hasFinalFragments'>,
  { outputBytes }: Pick<PlanCost, 'outputBytes'>,
): string | undefined {
  if (isAssembled || hasFinalFragments || outputBytes <= functionDiskBytes) return undefined;
  return `its outputs would have about ${gigabytes(outputBytes)} GB, and the disk on which chunks are joined has ${gigabytes(functionDiskBytes)} GB`;
}

function gigabytes(bytes: number): number {
  return Math.round(bytes / 1e9);
}
