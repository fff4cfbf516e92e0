import type { JobRequest, PresetJob } from '../../api/job-request.ts';
import { AppError } from '../../errors.ts';
import type { ReadablePresets } from '../ports.ts';
import { currentVersion, type Preset, presetLabel } from '../preset.ts';
import { atParameters, resolvePreset } from './resolve-preset.ts';

/** The request that a job does, and the version of the preset that it is from. */
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
