import { issueDetails, issueMessage } from '../../api/issue-message.ts';
import { isCommand, type JobRequest, type PresetJob, resolvedJobSchema } from '../../api/job-request.ts';
import { leaveOutNulls } from '../../api/request-values.ts';
import { AppError, type ErrorDetail, invalidRequest } from '../../errors.ts';
import { currentVersion, type Preset, presetLabel, type ReadablePresets } from '../preset.ts';

export type ResolvedRequest = { request: JobRequest; preset?: string | undefined };

type Submitted = { presets: Pick<ReadablePresets, 'versions'>; ownerId: string; job: JobRequest | PresetJob };

/**
 * Uses the ordinary request of a submitted job. Errors that name a field of a preset's request name the parameter instead.
 *
 * @throws AppError PRESET_NOT_FOUND, or VALIDATION_ERROR for its parameters
 */
export async function withResolvedRequest<Result>(
  { presets, ownerId, job }: Submitted,
  use: (resolved: ResolvedRequest) => Promise<Result>,
): Promise<Result> {
  if (job.mode !== 'preset') return use({ request: job });
  const preset = await findPreset(presets, ownerId, job.preset);
  const request = resolvePreset(preset, job);
  try {
    return await use({ request, preset: presetLabel(preset) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw atParameters(error, preset, job);
  }
}

/** The version that `name` or `name@version` means. Throws AppError PRESET_NOT_FOUND. */
async function findPreset(presets: Submitted['presets'], ownerId: string, named: string): Promise<Preset> {
  const [, name = '', version] = /^([a-z0-9-]{1,40})(?:@([1-9]\d{0,5}))?$/.exec(named) ?? [];
  const versions = name === '' ? [] : await presets.versions(ownerId, name);
  const found =
    version === undefined ? currentVersion(versions) : versions.find((each) => each.version === Number(version));
  if (found !== undefined) return found;
  const known = versions.map(
    (each) => `${presetLabel(each)}${each.retired ? ' (retired)' : each.draft ? ' (draft)' : ''}`,
  );
  const message =
    known.length === 0 ? 'There is no such preset' : `There is no such version; there are ${known.join(', ')}`;
  throw new AppError('PRESET_NOT_FOUND', `${message}.`, { details: [{ path: 'preset', message }] });
}

/**
 * The ordinary request of a job of a preset: the version's request with the parameters of the job, its input and its other
 * fields.
 *
 * @throws AppError VALIDATION_ERROR at `parameters.<path>` for a path outside `allow`, or a value that the recipe rejects
 */
export function resolvePreset(preset: Preset, job: PresetJob): JobRequest {
  const { mode: _, preset: __, parameters = {}, input, metadata, ...fields } = job;
  const paths = Object.keys(parameters).filter((path) => !isLeftOut(preset, path, parameters[path]));
  const outside = paths.filter((path) => !preset.allow.some((allowed) => isWithin(path, allowed)));
  if (outside.length > 0) {
    const list = preset.allow.length === 0 ? 'no parameter' : preset.allow.join(', ');
    const message = `The preset ${presetLabel(preset)} allows ${list}`;
    throw invalidRequest(outside.map((path) => ({ path: `parameters.${path}`, message })));
  }
  const request: Record<string, unknown> = structuredClone(preset.request);
  const misplaced = paths.filter((path) => !setAt(request, path.split('.'), parameters[path]));
  if (misplaced.length > 0)
    throw invalidRequest(misplaced.map((path) => ({ path: `parameters.${path}`, message: 'Leads to no field' })));
  if (metadata !== undefined) request.metadata = { ...(request.metadata as object | undefined), ...metadata };
  const schema = resolvedJobSchema(request, preset.source);
  const written = leaveOutNulls(schema, { ...request, ...fields, input });
  const parsed = schema.safeParse(written, { error: issueMessage });
  if (parsed.success) return parsed.data;
  throw atParameters(invalidRequest(parsed.error.issues.flatMap((issue) => issueDetails(issue))), preset, job);
}

/** Whether a parameter is null where null is no value: the job has the preset's own. */
function isLeftOut(preset: Preset, path: string, value: unknown): boolean {
  if (value !== null) return false;
  const request = structuredClone(preset.request);
  const names = path.split('.');
  const known = readAt(request, names);
  if (!setAt(request, names, null)) return false;
  const left = readAt(leaveOutNulls(resolvedJobSchema(request, preset.source), request), names);
  // A value of a command is in no schema, and never null.
  return left === undefined || (names[0] === 'recipe' && known !== undefined && isCommand(request));
}

/**
 * The error of a resolved request with the paths of the job's own body: those of the preset's request become
 * `parameters.<path>` of the parameter that caused them, or `preset` if the job has none.
 */
function atParameters(error: AppError, preset: Preset, { parameters: values = {}, ...job }: PresetJob): AppError {
  const parameters = Object.keys(values);
  const ofPreset = [...Object.keys(preset.request), ...parameters.map((path) => path.split('.')[0] ?? '')];
  const roots = new Set(ofPreset.filter((field) => !Object.hasOwn(job, field)));
  const details = (error.details ?? []).map(({ path, ...detail }): ErrorDetail => {
    if (!roots.has(path.split('.')[0] ?? '')) return { path, ...detail };
    return { ...detail, path: causeOf(path, parameters), message: `${detail.message} (${path})` };
  });
  const [first] = details;
  if (first === undefined) return error;
  if (error.code === 'VALIDATION_ERROR') return invalidRequest(details);
  return new AppError(error.code, error.message, { details, cause: error });
}

/** The parameter at, above or below a path, else beside it, else the first. */
function causeOf(path: string, parameters: readonly string[]): string {
  if (parameters.some((parameter) => isWithin(path, parameter))) return `parameters.${path}`;
  const parent = path.slice(0, path.lastIndexOf('.'));
  const cause =
    parameters.find((parameter) => isWithin(parameter, path)) ??
    parameters.find((parameter) => isWithin(parameter, parent)) ??
    parameters[0];
  return cause === undefined ? 'preset' : `parameters.${cause}`;
}

/** Whether a path is another one, or below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value at a path; undefined if there is none. */
export function readAt(holder: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined),
    holder,
  );
}

/** Sets a value in place. False if the path leads through what has no fields. Fields that are missing on the way are made. */
export function setAt(holder: object, path: readonly string[], value: unknown): boolean {
  const [name = '', ...rest] = path;
  if (name === '__proto__' || (Array.isArray(holder) && !Object.hasOwn(holder, name))) return false;
  if (rest.length === 0) return Reflect.set(holder, name, value);
  if (!Object.hasOwn(holder, name)) Reflect.set(holder, name, {});
  const inner: unknown = Reflect.get(holder, name);
  return isObject(inner) && setAt(inner, rest, value);
}
