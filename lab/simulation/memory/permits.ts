import { emptyGroup, freePermit, type Group, type Permits, takePermit } from '../../../core/permits.ts';

/** Permits in memory. */
export function memoryPermits(): Permits {
  const groups = new Map<string, Group>();
  const change = (group: string, next: (before: Group) => Group | undefined) => {
    const after = next(groups.get(group) ?? emptyGroup);
    if (after !== undefined) groups.set(group, after);
    return after !== undefined;
  };
  return {
    take: async (permit, limit) => change(permit.group, (before) => takePermit(before, permit, limit)),
    free: async ({ group, holder }) => change(group, (before) => freePermit(before, holder)),
  };
}
