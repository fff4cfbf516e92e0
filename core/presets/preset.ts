import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';

export const presetNameSchema = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/, 'Must be 1 to 40 lower-case letters, digits and hyphens');

export const presetVersionSchema = z.int().min(1).max(999_999);

/** Texts of a version. Everything but `draft` and `retired` never changes once it is stored. */
export const presetTexts = {
  title: z.string().max(100),
  description: z.string().max(1000),
  allow: z.array(z.string().max(200)).max(100),
};

/** One version of a preset: a request without its source, with the defaults of the day on which it was made. */
export const presetSchema = z.object({
  name: presetNameSchema,
  version: presetVersionSchema,
  draft: z.boolean(),
  retired: z.boolean(),
  ...presetTexts,
  request: z.looseObject({ mode: z.string() }),
  source: z.enum(['stage', 'owner']),
  createdAt: timestampSchema,
});

export type Preset = z.output<typeof presetSchema>;

export type PresetRef = Pick<Preset, 'name' | 'version'>;

/** `course@2`, as a job names a version. */
export function presetLabel({ name, version }: PresetRef): string {
  return `${name}@${version}`;
}

/** The version that a job without a number gets: the highest that is neither draft nor retired. */
export function currentVersion(versions: readonly Preset[]): Preset | undefined {
  return newestVersion(versions.filter(({ draft, retired }) => !draft && !retired));
}

export function newestVersion(versions: readonly Preset[]): Preset | undefined {
  return versions.reduce<Preset | undefined>(
    (newest, each) => (newest !== undefined && newest.version > each.version ? newest : each),
    undefined,
  );
}

/** By name, the newest version of each first. */
export function sortPresets(presets: readonly Preset[]): Preset[] {
  return [...presets].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : b.version - a.version));
}

/** A preset of an owner. `id` is that of the request that made it, which an idempotency key repeats. */
export type OwnerPreset = Preset & { id: string };

type PresetStates = { draft?: boolean | undefined; retired?: boolean | undefined };

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
