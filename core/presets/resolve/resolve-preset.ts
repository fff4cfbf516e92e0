import { issueDetails, issueMessage } from '../../api/issue-message.ts';
import { isCommand, type JobRequest, type PresetJob, resolvedJobSchema } from '../../api/job-request.ts';
import { leaveOutNulls } from '../../api/request-fields.ts';
import { AppError, type ErrorDetail, invalidRequest } from '../../errors.ts';
import { type Preset, presetLabel } from '../preset.ts';
import { isWithin, readAt, setAt } from './paths.ts';

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
export function atParameters(
  error: AppError,
  preset: Preset,
  { parameters: values = {}, ...job }: PresetJob,
): AppError {
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
