import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type * as z from 'zod';
import { issueDetails, issueMessage } from '../../core/api/issue-message.ts';
import type { ErrorDetail } from '../../core/errors.ts';
import { jsonText } from '../../core/json-text.ts';
import type { Preset, PresetRef } from '../../core/presets/preset.ts';
import {
  findPresetProblems,
  type PresetFile,
  presetFileSchema,
  presetOfStage,
  type ResolvedPreset,
  resolvedPresetSchema,
  resolvePresetFile,
} from '../../core/presets/resolve/preset-file.ts';
import { presetsFolder } from '../build/presets-folder.ts';
import { SettingsError } from './read-settings.ts';

/** The name of the file beside the code of a function, with the presets of its stage. */
export const presetsFile = 'presets.json';

const fileName = /^([a-z0-9-]{1,40})@([1-9]\d{0,5})(\.resolved)?\.json$/;

/**
 * The resolved presets of a stage, which are deployed.
 *
 * @throws SettingsError with the file, the path and the problem of the first that is wrong, not resolved, or does not follow
 */
export function readStagePresets(setting: string | undefined): Preset[] {
  const folder = presetsFolder(setting);
  if (folder === undefined) return [];
  return readFiles(folder).map(({ file, name, earlier }) => {
    if (earlier === undefined) throw new SettingsError(`${name} has no resolved file beside it: run npm run presets.`);
    rejectProblems(name, findPresetProblems(file, earlier));
    return presetOfStage(earlier);
  });
}

/** Writes the resolved file beside each preset, unless it follows already. Returns the names of those that it wrote. */
export function resolveStagePresets(setting: string | undefined, now: Date): string[] {
  const folder = presetsFolder(setting);
  if (folder === undefined)
    throw new SettingsError('There is no folder "presets", and the setting "presets" names none.');
  return readFiles(folder).flatMap(({ file, name, ref, earlier }) => {
    const result = resolvePresetFile(file, { ref, earlier, now });
    if ('problems' in result) return rejectProblems(name, result.problems);
    const target = resolvedName(name);
    const text = `${JSON.stringify(result.resolved, undefined, 2)}\n`;
    if (earlier !== undefined && readFileSync(path.join(folder, target), 'utf8') === text) return [];
    writeFileSync(path.join(folder, target), text);
    return [target];
  });
}

type PresetSource = { name: string; ref: PresetRef; file: PresetFile; earlier: ResolvedPreset | undefined };

function readFiles(folder: string): PresetSource[] {
  const names = readNames(folder);
  return names.flatMap((name): PresetSource[] => {
    const [, preset = '', version, suffix] = fileName.exec(name) ?? [];
    if (version === undefined)
      throw new SettingsError(`${path.join(folder, name)}: the name must be such as course@2.json.`);
    if (suffix !== undefined) {
      if (!names.includes(name.replace(suffix, ''))) throw new SettingsError(`${name} is of no preset: remove it.`);
      return [];
    }
    const resolved = resolvedName(name);
    const earlier = names.includes(resolved) ? parseFile(folder, resolved, resolvedPresetSchema) : undefined;
    const file = parseFile(folder, name, presetFileSchema);
    return [{ name, ref: { name: preset, version: Number(version) }, file, earlier }];
  });
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch (cause) {
    throw new SettingsError(`Setting "presets": ${folder} could not be read.`, { cause });
  }
}

function parseFile<Schema extends z.ZodType>(folder: string, name: string, schema: Schema): z.output<Schema> {
  const text = readFileSync(path.join(folder, name), 'utf8');
  const parsed = jsonText(schema).safeParse(text, { error: issueMessage });
  if (!parsed.success)
    rejectProblems(
      name,
      parsed.error.issues.flatMap((issue) => issueDetails(issue)),
    );
  return parsed.data as z.output<Schema>;
}

function resolvedName(name: string): string {
  return name.replace(/\.json$/, '.resolved.json');
}

function rejectProblems(name: string, problems: readonly ErrorDetail[]): never[] {
  const [first] = problems;
  if (first !== undefined) throw new SettingsError(`${name}: ${first.path}: ${first.message}`);
  return [];
}
