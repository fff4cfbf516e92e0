import type { PlanCost } from './plan-cost.ts';
import { expectedSeconds, type Processors, spread } from './processors.ts';

/** A worker that could process a whole job. */
export type Candidate = {
  processors: Processors;
  /** Wall seconds that it has for the work. */
  maxSeconds: number;
  /** Whether its memory holds the encodings. */
  hasMemory: boolean;
  /** Whether the inputs, and what is copied of them, fit on its disk. */
  hasDisk: boolean;
};

export type Lack = 'memory' | 'disk' | 'time';

/** What a worker lacks to process a whole job; undefined if it can end it. An estimate is taken by its p90. */
export function lackOfWorker(
  cost: Pick<PlanCost, 'cpuSeconds' | 'serialSeconds'>,
  { hasMemory, hasDisk, processors, maxSeconds }: Candidate,
): Lack | undefined {
  if (!hasMemory) return 'memory';
  if (!hasDisk) return 'disk';
  return expectedSeconds(cost, processors) * spread <= maxSeconds ? undefined : 'time';
}
