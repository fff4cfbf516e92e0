import type { Mutant } from './mutant.ts';

function mutant(name: string, file: string, find: string, replace: string): Mutant {
  return { name, edits: [{ file, from: '', find, replace }] };
}

const counter = 'core/spending/spending-counter.ts';
const reserve = 'functions/spending/reserve-cost.ts';

/** What keeps the spending under a cap exact and within it, removed one at a time. */
export const spendingMutants: readonly Mutant[] = [
  mutant(
    'that a spending counter keeps the ids of its jobs',
    counter,
    'counter.latest.includes(record.jobId)) return undefined;',
    'counter.version < 0) return undefined;',
  ),
  mutant(
    'that the reservation of an ended job is removed',
    counter,
    'const { [record.jobId]: _, ...reserved } = counter.reserved;',
    'const { reserved } = counter;',
  ),
  mutant(
    'that the cost of a deleted job counts under its cap',
    counter,
    'return record.usage?.nanoUsd;',
    'return undefined;',
  ),
  mutant(
    'that spending is counted before its record says so',
    'functions/usage/count-usage.ts',
    'await countCostOfJob(deps, ref, job?.spendingCaps ?? []);',
    'void countCostOfJob(deps, ref, job?.spendingCaps ?? []).catch(() => undefined);',
  ),
  mutant(
    'that a reservation stays within the cap',
    reserve,
    'if (exceeded !== undefined) throw capExceeded(exceeded, usd);',
    '',
  ),
  mutant(
    'that a reservation is made again after a conflict',
    reserve,
    'return spending.write(ref, reserveCost(counter, jobId, Math.ceil(usd * 1e9)));',
    'await spending.write(ref, reserveCost(counter, jobId, Math.ceil(usd * 1e9)));\n    return true;',
  ),
  mutant(
    'that only the worker that holds the lease reserves',
    reserve,
    'if (!holdsLease(leaseId, await jobs.get(job))) throw new LeaseLostError(jobId);',
    '',
  ),
  mutant(
    'that a job under a cap reserves before it is encoded',
    'functions/transcode/require-fitting-cost.ts',
    'await reserveJobCost(deps, job, reservedUsd);',
    'void reserveJobCost(deps, job, 0).catch(() => undefined);',
  ),
];
