import type { GroupUsage } from '@media-jobs/core/api';

/** The ended jobs of one label, such as a recipe. */
export type LabelledUsage = Omit<GroupUsage, 'keyId' | 'recipe' | 'preset' | 'value'> & { label: string };

/** The sums over several days of all groups with the same label, the most expensive first. */
export function sumGroups(
  days: readonly { groups?: readonly GroupUsage[] | undefined }[],
  labelOf: (group: GroupUsage) => string,
): LabelledUsage[] {
  const groups = Map.groupBy(
    days.flatMap((day) => day.groups ?? []),
    labelOf,
  );
  return [...groups]
    .map(([label, ofLabel]) => {
      const sum = (value: (group: GroupUsage) => number) => ofLabel.reduce((total, group) => total + value(group), 0);
      return {
        label,
        jobs: {
          completed: sum(({ jobs }) => jobs.completed),
          failed: sum(({ jobs }) => jobs.failed),
          rejected: sum(({ jobs }) => jobs.rejected),
          cancelled: sum(({ jobs }) => jobs.cancelled),
        },
        mediaSeconds: sum(({ mediaSeconds }) => mediaSeconds),
        computeSeconds: sum(({ computeSeconds }) => computeSeconds),
        outputBytes: sum(({ outputBytes }) => outputBytes),
        usd: sum(({ usd }) => usd),
      };
    })
    .sort((a, b) => b.usd - a.usd);
}

/** What the jobs of a group have in common, such as `no key / compress`. */
export function labelOfGroup({ keyId, recipe, preset, value }: GroupUsage): string {
  const labels = [
    keyId === undefined ? [] : (keyId ?? 'no key'),
    recipe === undefined ? [] : (recipe ?? unknownRecipe),
    preset === undefined ? [] : (preset ?? noPreset),
    value === undefined ? [] : (value ?? 'none'),
  ];
  return labels.flat().join(' / ');
}

export const noPreset = 'no preset';

/** The label of jobs whose recipe is not known: those of a service version that did not record it. */
export const unknownRecipe = 'not recorded';
