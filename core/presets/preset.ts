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
