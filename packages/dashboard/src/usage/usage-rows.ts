import { noPreset, sumGroups, unknownRecipe } from '@media-jobs/cli/formatting';
import { dayLabel, isActive, type UsageDay } from './usage-days.ts';

export type UsageRow = ReturnType<typeof sumGroups>[number] & {
  id: string;
  /** Undefined where unfinished jobs are not known. */
  unfinished?: number;
};

/** The days with jobs or costs, newest first. */
export function dayRows(days: readonly UsageDay[]): UsageRow[] {
  const active = days.filter(isActive).toReversed();
  return active.map(({ date, jobs, ...sums }) => ({
    ...sums,
    id: date,
    label: dayLabel(date),
    jobs,
    unfinished: jobs.queued + jobs.processing,
  }));
}

export function recipeRows(days: readonly UsageDay[]): UsageRow[] {
  return rowsBy(days, ({ recipe }) => recipe ?? unknownRecipe);
}

/** No rows if no job is of a preset. */
export function presetRows(days: readonly UsageDay[]): UsageRow[] {
  const rows = rowsBy(days, ({ preset }) => preset ?? noPreset);
  return rows.every(({ id }) => id === noPreset) ? [] : rows;
}

/** The usage by the values of a metadata key, by which the days are grouped. */
export function valueRows(days: readonly UsageDay[]): UsageRow[] {
  return rowsBy(days, ({ value }) => value ?? 'Without the key');
}

function rowsBy(days: readonly UsageDay[], labelOf: Parameters<typeof sumGroups>[1]): UsageRow[] {
  return sumGroups(days, labelOf).map((row) => ({ ...row, id: row.label }));
}

const noKey = 'Without a key';

type Named = { keyId: string; name: string };

/**
 * The usage by API key. A revoked or expired key has no name any more: its row has the end of its id.
 * @param keys the valid keys; undefined if they are unknown
 */
export function keyRows(days: readonly UsageDay[], keys: readonly Named[] | undefined): UsageRow[] {
  const nameless = keys === undefined ? 'Key' : 'Revoked or expired key';
  const nameOf = (keyId: string) => keys?.find((key) => key.keyId === keyId)?.name;
  const labelOf = (keyId: string) => (keyId === noKey ? noKey : (nameOf(keyId) ?? `${nameless} …${keyId.slice(-6)}`));
  return sumGroups(days, ({ keyId }) => keyId ?? noKey).map((row) => ({
    ...row,
    id: row.label,
    label: labelOf(row.label),
  }));
}
