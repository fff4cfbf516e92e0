import type { OperationRequest } from '@media-jobs/client';
import type { Draft } from './draft.ts';
import { draftToRequest } from './draft-to-request.ts';

export type EstimateRequest = OperationRequest<'estimateJob'>['body'];
export type SourceMedia = NonNullable<EstimateRequest['media']>;

/** In place of every URL: an estimate reads no file, and URLs may contain credentials. */
const placeholderUrl = 'https://example.com/file';
const placeholderContentKey = '0'.repeat(32);

/**
 * The body of an estimate: only what time and price depend on. It has no URL, no content key, no metadata and no
 * storage.
 */
export function estimateRequest(draft: Draft, media: SourceMedia): EstimateRequest {
  const { mode, recipe, steps, outputs, speed, keepDays } = draftToRequest(draft, () => placeholderUrl);
  if (draft.preset !== undefined) {
    const { preset, parameters } = draft.preset;
    const job = { mode: 'preset' as const, preset, parameters: withoutSecrets(parameters), speed, media };
    return { ...job, input: { url: placeholderUrl } } as EstimateRequest;
  }
  const inputs = draft.sources.map(() => ({ url: placeholderUrl }));
  const body = {
    mode,
    ...(inputs.length > 1 ? { inputs } : { input: { url: placeholderUrl } }),
    ...(outputs === undefined ? { output: { format: draft.format } } : { outputs: withoutStorage(outputs) }),
    ...(recipe === undefined
      ? steps && { steps: steps?.map((step) => ({ name: step.name, recipe: withoutSecrets(step.recipe) })) }
      : { recipe: withoutSecrets(recipe) }),
    speed,
    keepDays,
    media,
  };
  return body as EstimateRequest;
}

function withoutStorage(outputs: NonNullable<ReturnType<typeof draftToRequest>['outputs']>) {
  const entries = Object.entries(outputs).map(([name, { storageProviderId: _, key: __, recipe, ...output }]) => [
    name,
    { ...output, recipe: withoutSecrets(recipe) },
  ]);
  return Object.fromEntries(entries) as object;
}

/** A copy of parameters with placeholders for URLs and content keys, however deep they are. */
function withoutSecrets(value: unknown, name?: string): unknown {
  if (typeof value === 'string') {
    // A parameter of a preset has its path as its name.
    if (name === 'key' || name?.endsWith('encryption.key')) return placeholderContentKey;
    return /^[a-z]+:\/\//i.test(value.trim()) ? placeholderUrl : value;
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, key)]));
}
