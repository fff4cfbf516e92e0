import { canonicalJson } from '@media-jobs/video/values';
import * as z from 'zod';
import { jobRequestSchema } from '../../api/job-request.ts';
import { leaveOutNulls } from '../../api/leave-out-nulls.ts';
import type { ErrorDetail } from '../../errors.ts';
import { type Preset, type PresetRef, presetSchema, presetTexts } from '../preset.ts';
import { isObject } from './paths.ts';
import { parsePreset } from './preset-request.ts';

/** A preset of a stage as people write it: `<name>@<version>.json`. */
export const presetFileSchema = z.strictObject({
  draft: z.boolean().default(false),
  retired: z.boolean().default(false),
  title: presetTexts.title,
  description: presetTexts.description.default(''),
  request: z
    .looseObject({ mode: z.string() })
    .transform((request) => leaveOutNulls(jobRequestSchema, request) as typeof request),
  allow: presetTexts.allow.default([]),
});

export type PresetFile = z.output<typeof presetFileSchema>;

/** The preset that is deployed, and every default that it got when it was resolved, by path. */
export const resolvedPresetSchema = presetSchema
  .omit({ source: true })
  .strict()
  .extend({
    defaults: z.record(z.string(), z.unknown()),
  });

export type ResolvedPreset = z.output<typeof resolvedPresetSchema>;

/**
 * Resolves a file. As long as its request follows from that of an earlier resolution, the defaults of that one stay.
 */
export function resolvePresetFile(
  file: PresetFile,
  { ref, earlier, now }: { ref: PresetRef; earlier?: ResolvedPreset | undefined; now: Date },
): { resolved: ResolvedPreset } | { problems: ErrorDetail[] } {
  const settled = earlier !== undefined && hasRequest(file, earlier) ? earlier : settleToday(file, now);
  if ('problems' in settled) return settled;
  const { request, defaults, createdAt } = settled;
  return { resolved: { ...ref, ...file, request, defaults, createdAt } };
}

function settleToday(file: PresetFile, now: Date) {
  const parsed = parsePreset(file);
  if (parsed.problems !== undefined) return parsed;
  const defaults = Object.fromEntries(addedFields(file.request, parsed.request));
  return { request: parsed.request, defaults, createdAt: now.toISOString() };
}

/**
 * Why a resolved preset must not be deployed: it does not follow from its file and the defaults that it records, or this
 * release does not accept it. Empty if it may.
 */
export function findPresetProblems(file: PresetFile, resolved: ResolvedPreset): ErrorDetail[] {
  const fields = Object.keys(file).filter((field) => field !== 'request') as (keyof PresetFile)[];
  const changed = fields.filter((field) => canonicalJson(file[field]) !== canonicalJson(resolved[field]));
  if (!hasRequest(file, resolved)) changed.push('request');
  const { problems = [] } = parsePreset(resolved);
  return [
    ...changed.map((path) => ({ path, message: 'Does not follow from the file: run npm run presets' })),
    ...problems,
  ];
}

/** The preset of a stage, as its functions read it. */
export function presetOfStage({ defaults: _, ...preset }: ResolvedPreset): Preset {
  return { ...preset, source: 'stage' };
}

function hasRequest({ request }: PresetFile, resolved: ResolvedPreset): boolean {
  const copy = structuredClone(request);
  for (const [path, value] of Object.entries(resolved.defaults)) addField(copy, path.split('.'), value);
  return canonicalJson(copy) === canonicalJson(resolved.request);
}

/** Sets a field that is not there. */
function addField(holder: unknown, [name = '', ...rest]: string[], value: unknown): void {
  if (!isObject(holder)) return;
  if (rest.length > 0) addField(Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined, rest, value);
  else if (!Object.hasOwn(holder, name)) Object.defineProperty(holder, name, { value, enumerable: true });
}

/** The fields of `to` that `from` does not have, by path. */
function addedFields(from: object, to: object, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(to).flatMap(([name, value]): [string, unknown][] => {
    const path = `${prefix}${name}`;
    if (!Object.hasOwn(from, name)) return value === undefined ? [] : [[path, value]];
    const written: unknown = Reflect.get(from, name);
    return isObject(written) && isObject(value) ? addedFields(written, value, `${path}.`) : [];
  });
}
