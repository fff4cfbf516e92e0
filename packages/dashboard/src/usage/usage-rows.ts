import { noPreset, sumGroups, unknownRecipe } from '@media-jobs/cli/formatting';
import { dayLabel, isActive, type UsageDay } from './usage-days.ts';

export type UsageRow = {
  id: string;
  label: string;
  jobs: Record<'completed' | 'failed' | 'rejected' | 'cancelled', number>;
  /** Undefined where unfinished jobs are not known. */
  unfinished?: number;
  mediaSeconds: number;
  outputBytes: number;
  usd: number;
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

/**
 * The usage by API key. A revoked or expired key has no name any more: its row has the end of its id.
 * @param names the names of the valid keys by id; undefined if they are unknown
 */
export function keyRows(days: readonly UsageDay[], names: ReadonlyMap<string, string> | undefined): UsageRow[] {
  const nameless = names === undefined ? 'Key' : 'Revoked or expired key';
  const labelOf = (keyId: string) =>
    keyId === noKey ? noKey : (names?.get(keyId) ?? `${nameless} …${keyId.slice(-6)}`);
  return sumGroups(days, ({ keyId }) => keyId ?? noKey).map((row) => ({
    ...row,
    id: row.label,
    label: labelOf(row.label),
  }));
}
