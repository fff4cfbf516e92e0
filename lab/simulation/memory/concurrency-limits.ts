import {
  type ConcurrencyLimits,
  emptyLimit,
  enterLimit,
  type Limit,
  leaveLimit,
} from '../../../core/concurrency-limit.ts';

/** Limits in memory. */
export function memoryConcurrencyLimits(): ConcurrencyLimits {
  const limits = new Map<string, Limit>();
  const change = (limit: string, next: (before: Limit) => Limit | undefined) => {
    const after = next(limits.get(limit) ?? emptyLimit);
    if (after !== undefined) limits.set(limit, after);
    return after !== undefined;
  };
  return {
    enter: async (entry, most) => change(entry.limit, (before) => enterLimit(before, entry, most)),
    leave: async ({ limit, name }) => change(limit, (before) => leaveLimit(before, name)),
  };
}
