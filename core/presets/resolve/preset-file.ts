import {
  CommandArgumentError,
  type CommandTemplate,
  commandArguments,
  commandDefaults,
  commandSchema,
  formatOfCommand,
  type Placeholder,
} from '@media-jobs/video/recipes';
import { canonicalJson } from '@media-jobs/video/values';
import * as z from 'zod';
import { jobRequestSchema } from '../../api/job-request.ts';
import { leaveOutNulls } from '../../api/request-values.ts';
import type { ErrorDetail } from '../../errors.ts';
import { type Preset, type PresetRef, presetSchema, presetTexts } from '../preset.ts';
import { parsePreset } from './preset-request.ts';
import { isObject } from './resolve-request.ts';

/**
 * A preset of a stage as people write it: `<name>@<version>.json`. One with a `command` in place of a request is that of a
 * job of its own recipe, whose parameters each job may set.
 */
export const presetFileSchema = z
  .strictObject({
    draft: z.boolean().default(false),
    retired: z.boolean().default(false),
    title: presetTexts.title,
    description: presetTexts.description.default(''),
    request: z.looseObject({ mode: z.string() }).optional(),
    command: commandSchema.optional(),
    allow: presetTexts.allow.default([]),
  })
  .transform(({ request, command, ...file }, context) => {
    if ((request === undefined) === (command === undefined)) {
      context.addIssue({ code: 'custom', path: ['request'], message: 'Give either a request or a command' });
      return z.NEVER;
    }
    if (command === undefined) return { ...file, request: leaveOutNulls(jobRequestSchema, request) as typeof written };
    const written: { mode: string; [field: string]: unknown } = {
      mode: 'recipe',
      output: { format: formatOfCommand(command) },
      recipe: { name: 'command', command, ...commandDefaults(command) },
    };
    const parameters = Object.keys(command.parameters).map((name) => `recipe.${name}`);
    return { ...file, request: written, allow: [...file.allow, ...parameters] };
  });

export type PresetFile = z.output<typeof presetFileSchema>;

/** The preset that is deployed, and every default that it got when it was resolved, by path. */
export const resolvedPresetSchema = presetSchema
  .omit({ source: true })
  .strict()
  .extend({ defaults: z.record(z.string(), z.unknown()) });

export type ResolvedPreset = z.output<typeof resolvedPresetSchema>;

/**
 * Resolves a file. As long as its request follows from that of an earlier resolution, the defaults of that one stay.
 */
export function resolvePresetFile(
  file: PresetFile,
  { ref, earlier, now }: { ref: PresetRef; earlier?: ResolvedPreset | undefined; now: Date },
): { resolved: ResolvedPreset } | { problems: ErrorDetail[] } {
  const complete = earlier !== undefined && hasRequest(file, earlier) ? earlier : resolveToday(file, now);
  if ('problems' in complete) return complete;
  const { request, defaults, createdAt } = complete;
  return { resolved: { ...ref, ...file, request, defaults, createdAt } };
}

function resolveToday(file: PresetFile, now: Date) {
  const parsed = parsePreset(file, 'stage');
  if (parsed.problems !== undefined) return parsed;
  const problems = commandProblems(parsed.request);
  if (problems.length > 0) return { problems };
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
  const { problems = commandProblems(resolved.request) } = parsePreset(resolved, 'stage');
  return [
    ...changed.map((path) => ({ path, message: 'Does not follow from the file: run npm run presets' })),
    ...problems,
  ];
}

/**
 * The argument of a command that it may not have, for the default values, then for each end or member of what a parameter
 * allows: what is between the ends has no other characters.
 */
function commandProblems({ recipe }: Preset['request']): ErrorDetail[] {
  const { command } = (recipe ?? {}) as { command?: CommandTemplate };
  if (command === undefined) return [];
  const defaults = commandDefaults(command);
  const others = Object.entries(command.parameters).flatMap(([name, placeholder]) =>
    extremesOf(placeholder).map((value) => ({ [name]: value })),
  );
  for (const values of [{}, ...others]) {
    try {
      commandArguments(command, { ...defaults, ...values });
    } catch (cause) {
      if (!(cause instanceof CommandArgumentError)) throw cause;
      return [{ path: `command.arguments.${cause.index}`, message: cause.message }];
    }
  }
  return [];
}

function extremesOf(placeholder: Placeholder): (string | number)[] {
  if (placeholder.type === 'enum') return placeholder.values;
  return placeholder.type === 'string' ? ['a b', 'A.b-c_9'] : [placeholder.min, placeholder.max];
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
