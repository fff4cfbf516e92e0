import type { OperationResult } from '../../client/operation.ts';

export type UsageDay = OperationResult<'getUsage'>['days'][number];

/** The jobs of one day, in whichever state. */
export function jobCount({ jobs }: UsageDay): number {
  return Object.values(jobs).reduce((sum, count) => sum + count, 0);
}

/** All days together. */
export function usageTotals(days: readonly UsageDay[]) {
  const sum = (of: (day: UsageDay) => number) => days.reduce((all, day) => all + of(day), 0);
  return {
    jobs: sum(jobCount),
    mediaSeconds: sum((day) => day.mediaSeconds),
    computeSeconds: sum((day) => day.computeSeconds),
    outputBytes: sum((day) => day.outputBytes),
  };
}
