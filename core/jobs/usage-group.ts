import * as z from 'zod';
import type { Principal } from '../access/authentication.ts';

/** What the usage of a day is divided by. */
export const usageGroupSchema = z.object({
  /** `session`, or the id of the API key; for a key that another key created, that of the other. */
  caller: z.string(),
  /** The name of the recipe; `pipeline` for a job with several steps. */
  recipe: z.string(),
  /** The version of the preset, if the job is of one. */
  preset: z.string().optional(),
});

export type UsageGroup = z.output<typeof usageGroupSchema>;

export const sessionCaller = 'session';

/**
 * Whose usage the jobs of a caller are. Keys that a key creates are many and short-lived, so their jobs count for the
 * key that created them.
 */
export function usageCaller(principal: Principal): string {
  if (principal.caller === 'session') return sessionCaller;
  return (principal.parent ?? principal.key).keyId;
}

export type GroupedJob = {
  caller?: string | undefined;
  preset?: string | undefined;
  request: { recipe?: { name: string } | undefined };
};

/** The recipe of a job as metrics, events and the usage name it: that of its one step, or `pipeline`. */
export function recipeLabel(request: GroupedJob['request'] | undefined): string {
  return request?.recipe?.name ?? 'pipeline';
}

/** The group of a job; undefined for a job of an earlier version. */
export function groupOf({ caller, request, preset }: Partial<GroupedJob>): UsageGroup | undefined {
  if (caller === undefined) return undefined;
  return { caller, recipe: recipeLabel(request), ...(preset !== undefined && { preset }) };
}

/** What a caller can have usage grouped by. */
export const usageDimensions = ['key', 'recipe', 'preset'] as const;

export type UsageDimension = (typeof usageDimensions)[number];

/** The values of a group that the usage is grouped by, as the API names them. */
export function dimensionsOf(
  group: UsageGroup | undefined,
  by: readonly UsageDimension[],
): { keyId?: string | null; recipe?: string | null; preset?: string | null } {
  const keyId = group === undefined || group.caller === sessionCaller ? null : group.caller;
  return {
    ...(by.includes('key') ? { keyId } : {}),
    ...(by.includes('recipe') ? { recipe: group?.recipe ?? null } : {}),
    ...(by.includes('preset') ? { preset: group?.preset ?? null } : {}),
  };
}
