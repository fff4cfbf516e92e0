import type { Format } from '@media-jobs/video/media';
import {
  assignFormats,
  findConflicts,
  findRecipe,
  type StoredRecipe,
  withRecipeDefaults,
} from '@media-jobs/video/recipes';
import { issueDetails, issueMessage } from '../../api/issue-message.ts';
import {
  isCommand,
  type JobRequest,
  requestedRecipes,
  resolvedJobSchema,
  takeContentKey,
} from '../../api/job-request.ts';
import { leaveOutNulls } from '../../api/request-values.ts';
import type { ErrorDetail } from '../../errors.ts';
import type { Preset } from '../preset.ts';
import { isObject, isWithin, readAt, setAt } from './resolve-request.ts';

/** Stands for the source, which each job names. */
const anyInput = { url: 'https://source.invalid/input' };

/** Fields that each job has itself, and no preset. */
const fieldsOfJobs = ['input', 'inputs', 'webhookUrl', 'finishBy'];

type Written = { request: Record<string, unknown>; allow: readonly string[] };

export type ParsedPreset = { request: Preset['request']; problems?: never } | { problems: ErrorDetail[] };

/**
 * The request of a new version with every default written out, so that it does not change with the defaults of a later
 * release. A default that follows from a parameter which jobs may set stays open. `problems` have the paths of a preset.
 */
export function parsePreset({ request: written, allow }: Written, source: Preset['source']): ParsedPreset {
  const schema = resolvedJobSchema(written, source);
  const request = leaveOutNulls(schema, written) as Written['request'];
  const problems: ErrorDetail[] = fieldsOfJobs
    .filter((field) => Object.hasOwn(request, field))
    .map((field) => ({ path: `request.${field}`, message: 'Not in a preset: each job says it' }));
  if (problems.length > 0) return { problems };
  const { keyed, later } = withLaterKeys({ request, allow });
  const parsed = schema.safeParse({ ...keyed, input: anyInput }, { error: issueMessage });
  if (!parsed.success) {
    const details = parsed.error.issues.flatMap((issue) => issueDetails(issue, 'request'));
    const ofInput = { path: 'request.recipe.name', message: 'A preset has one input, and this recipe takes several' };
    return { problems: details.map((detail) => (detail.path === 'request.input' ? ofInput : detail)) };
  }
  problems.push(...contentKeys(parsed.data, later), ...wrongPaths(parsed.data, allow));
  if (problems.length > 0) return { problems };
  const {
    input: _,
    inputs: __,
    ...complete
  } = withDefaults(takeContentKey(parsed.data).request, allow) as Extract<JobRequest, { mode: 'recipe' }>;
  return { request: complete };
}

/** A content key is the secret of one stream. */
function contentKeys(request: JobRequest, later: readonly string[]): ErrorDetail[] {
  const keyed = requestedRecipes(request).filter(({ recipe }) => recipe.name === 'hls' && recipe.encryption?.key);
  return keyed
    .map(({ path }) => `${path}.encryption.key`)
    .filter((path) => !later.includes(path))
    .map((path) => ({
      path: `request.${path}`,
      message: 'Not in a preset: allow its path, and send it with each job',
    }));
}

/** The request with a key for each encrypted stream whose key jobs may set, as it is valid with one only. */
function withLaterKeys({ request, allow }: Written): { keyed: Record<string, unknown>; later: string[] } {
  const keyed = structuredClone(request);
  const later = allow.filter((path) => {
    const [leaf, ...parents] = path.split('.').reverse();
    const encryption = readAt(keyed, parents.reverse());
    return path.endsWith('encryption.key') && isObject(encryption) && !Object.hasOwn(encryption, leaf ?? '');
  });
  for (const path of later) setAt(keyed, path.split('.'), '0'.repeat(32));
  return { keyed, later };
}

/** Paths that no job could set. */
function wrongPaths(request: JobRequest, allow: readonly string[]): ErrorDetail[] {
  return allow.flatMap((path, index) => {
    const message = wrongPath(request, path);
    return message === undefined ? [] : [{ path: `allow.${index}`, message }];
  });
}

function wrongPath(request: JobRequest, path: string): string | undefined {
  const segments = path.split('.');
  const leaf = segments.pop() ?? '';
  const [root = leaf] = segments;
  if (root === 'mode' || fieldsOfJobs.includes(root)) return `${root} is no parameter of a preset`;
  if (!/^(?!__proto__$)[\w-]+$/.test(leaf)) return 'Must be the path of a field, such as recipe.crf';
  const holder = readAt(request, segments);
  if (root === 'recipe' && (segments.length === 0 || isWithin(path, 'recipe.command')) && isCommand(request))
    return 'Jobs set the parameters of a command, such as recipe.size, and nothing else of it';
  if (!isObject(holder)) return `The request has no ${segments.join('.')}`;
  const recipe = segments.at(-1) === 'recipe' ? findRecipe(String(Reflect.get(holder, 'name'))) : undefined;
  if (recipe !== undefined && !Object.hasOwn(recipe.request.shape, leaf) && !Object.hasOwn(holder, leaf))
    return `The recipe ${recipe.name} has no parameter ${leaf}`;
  return undefined;
}

/** Parameters on which the default codec and quality of a recipe depend. */
const decisive = ['codec', 'targetVmaf', 'bitrate', 'targetSizeMb'];

/** Writes out the defaults that follow from other parameters and the format. */
function withDefaults(request: JobRequest, allow: readonly string[]): JobRequest {
  const withDefaultsAt = <Recipe extends StoredRecipe>(path: string, recipe: Recipe, format: Format, of: string) => {
    const mayChange = [`${of}.format`, ...decisive.map((name) => `${path}.${name}`)];
    if (mayChange.some((each) => allow.some((allowed) => isWithin(each, allowed)))) return recipe;
    const complete = withRecipeDefaults(recipe, format);
    return findConflicts(complete, format).length === 0 ? complete : recipe;
  };
  switch (request.mode) {
    case 'recipe':
      return { ...request, recipe: withDefaultsAt('recipe', request.recipe, request.output.format, 'output') };
    case 'pipeline': {
      const formats = assignFormats(request.steps, request.output.format);
      const steps = request.steps.map((step, index) => {
        const format = formats[index]?.format ?? request.output.format;
        return { ...step, recipe: withDefaultsAt(`steps.${index}.recipe`, step.recipe, format, 'output') };
      });
      return { ...request, steps };
    }
    case 'outputs': {
      const outputs = Object.entries(request.outputs).map(([name, output]) => {
        const path = `outputs.${name}`;
        return [name, { ...output, recipe: withDefaultsAt(`${path}.recipe`, output.recipe, output.format, path) }];
      });
      return { ...request, outputs: Object.fromEntries(outputs) };
    }
  }
}
