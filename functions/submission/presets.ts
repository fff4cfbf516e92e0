import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { limitExceeded } from '../../core/access/owner-limits.ts';
import {
  type createPresetContract,
  type getPresetContract,
  type listPresetsContract,
  type NewPreset,
  presetNotFoundMessage,
  type updatePresetContract,
} from '../../core/api/presets.ts';
import { retryConflicts } from '../../core/async.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { type ReserveIdDeps, replayed, reserveId } from '../../core/idempotency.ts';
import {
  currentVersion,
  newestVersion,
  type OwnerPreset,
  type Preset,
  type PresetTable,
  presetLabel,
  sortPresets,
  withStagePresets,
} from '../../core/presets/preset.ts';
import { parsePreset } from '../../core/presets/resolve/preset-request.ts';

export type PresetDeps = {
  presets: PresetTable;
  /** Presets of the stage's files. */
  ofStage: readonly Preset[];
};

/** A list reads all versions, and its response has at most 6 MB. */
const maxVersions = 200;

/** Lists the presets of the stage and the owner, by name. */
export function listPresets({ presets, ofStage }: PresetDeps): RouteApp<typeof listPresetsContract> {
  return async ({ query: { all }, principal: { ownerId } }) => {
    const sorted = sortPresets(await withStagePresets(presets, ofStage).list(ownerId));
    const shown = all === 'true' ? sorted : sorted.filter(({ name }, index) => sorted[index - 1]?.name !== name);
    return { status: 200, body: { presets: shown } };
  };
}

/** Reads a version. Throws AppError NOT_FOUND. */
export function getPreset({ presets, ofStage }: PresetDeps): RouteApp<typeof getPresetContract> {
  return async ({ params, principal: { ownerId } }) => {
    const [name = '', version] = params.name.split('@');
    const versions = await withStagePresets(presets, ofStage).versions(ownerId, name);
    const found =
      version === undefined
        ? (currentVersion(versions) ?? newestVersion(versions))
        : versions.find((each) => each.version === Number(version));
    if (found === undefined) throw new AppError('NOT_FOUND', presetNotFoundMessage);
    return { status: 200, body: found };
  };
}

/** Stores a new version. Throws AppError VALIDATION_ERROR, PRESET_EXISTS or LIMIT_EXCEEDED. */
export function createPreset(deps: PresetDeps & ReserveIdDeps): RouteApp<typeof createPresetContract> {
  return async ({ body, rawBody, headers: { 'idempotency-key': idempotencyKey }, principal: { ownerId } }) => {
    const { presets } = deps;
    if (deps.ofStage.some(({ name }) => name === body.name))
      throw new AppError('PRESET_EXISTS', `The stage has a preset ${body.name}: choose another name.`);
    const parsed = parsePreset(body, 'owner');
    if (parsed.problems !== undefined) throw invalidRequest(parsed.problems);
    let stored: OwnerPreset | undefined;
    const keyed = { ownerId, idempotencyKey, request: { createPreset: rawBody } };
    const reserved = await reserveId(deps, keyed, async ({ id }) => {
      const all = await presets.list(ownerId);
      stored = all.find((each) => each.id === id);
      if (stored !== undefined) return;
      if (all.some(({ name, version }) => name === body.name && version === body.version)) throw versionExists(body);
      if (all.length >= maxVersions) throw tooManyVersions(all.length);
    });
    const { request } = parsed;
    const made = { ...body, request, id: reserved.id, createdAt: reserved.createdAt.toISOString() };
    stored ??= await retryConflicts(() => storeNext(presets, ownerId, made));
    const location = `/api/v1/presets/${presetLabel(stored)}`;
    return { status: 201, headers: { location, ...replayed(reserved).headers }, body: stored };
  };
}

/** Stores the requested version, or the next one; false if another request stored that meanwhile. */
async function storeNext(
  presets: PresetTable,
  ownerId: string,
  made: Omit<NewPreset, 'request'> & Pick<OwnerPreset, 'request' | 'id' | 'createdAt'>,
): Promise<OwnerPreset | false> {
  const next = async () => (newestVersion(await presets.versions(ownerId, made.name))?.version ?? 0) + 1;
  const version = made.version ?? (await next());
  const preset = { ...made, version, title: made.title ?? made.name, retired: false, source: 'owner' } as const;
  if (await presets.create(ownerId, preset)) return preset;
  if (made.version !== undefined) throw versionExists(made);
  return false;
}

function versionExists({ name, version }: Pick<NewPreset, 'name' | 'version'>): AppError {
  return new AppError('PRESET_EXISTS', `${name}@${version} exists, and a version never changes: store a new one.`);
}

function tooManyVersions(use: number): AppError {
  return limitExceeded(
    { limit: 'maxPresetVersions', value: maxVersions, use },
    `There are ${use} versions of presets, which is the limit. Presets in the files of the stage have none.`,
  );
}

/** Changes whether a version is a draft or retired. Throws AppError NOT_FOUND or PRESET_OF_STAGE. */
export function updatePreset({ presets, ofStage }: PresetDeps): RouteApp<typeof updatePresetContract> {
  return async ({ body, params, principal: { ownerId } }) => {
    const ref = { name: params.name, version: Number(params.version) };
    const isRef = ({ name, version }: Preset) => name === ref.name && version === ref.version;
    if (ofStage.some(isRef)) {
      const message = `${presetLabel(ref)} is a preset of the stage: change its file, and deploy.`;
      throw new AppError('PRESET_OF_STAGE', message);
    }
    const hasChanges = (body.draft ?? body.retired) !== undefined;
    const changed = hasChanges
      ? await presets.change(ownerId, ref, body)
      : (await presets.versions(ownerId, ref.name)).find(isRef);
    if (changed === undefined) throw new AppError('NOT_FOUND', presetNotFoundMessage);
    return { status: 200, body: changed };
  };
}
