import type { Preset, PresetRef } from './preset.ts';

/** A preset of an owner. `id` is that of the request that made it, which an idempotency key repeats. */
export type OwnerPreset = Preset & { id: string };

export type PresetStates = { draft?: boolean | undefined; retired?: boolean | undefined };

/** The presets of owners. */
export type PresetTable = {
  /** Every version of every preset. */
  list(ownerId: string): Promise<OwnerPreset[]>;
  versions(ownerId: string, name: string): Promise<OwnerPreset[]>;
  /** False if the version exists. */
  create(ownerId: string, preset: OwnerPreset): Promise<boolean>;
  /** The changed version; undefined for an unknown one. */
  change(ownerId: string, ref: PresetRef, states: PresetStates): Promise<OwnerPreset | undefined>;
};

/** The presets of the stage and those of an owner, which jobs and lists read. */
export type ReadablePresets = {
  list(ownerId: string): Promise<Preset[]>;
  versions(ownerId: string, name: string): Promise<Preset[]>;
};

/** The presets of owners besides those of the stage, whose names nobody else can use. */
export function withStagePresets(
  table: Pick<PresetTable, 'list' | 'versions'>,
  ofStage: readonly Preset[],
): ReadablePresets {
  const isTaken = (name: string) => ofStage.some((preset) => preset.name === name);
  return {
    list: async (ownerId) => [...ofStage, ...(await table.list(ownerId)).filter(({ name }) => !isTaken(name))],
    versions: async (ownerId, name) =>
      isTaken(name) ? ofStage.filter((preset) => preset.name === name) : table.versions(ownerId, name),
  };
}
