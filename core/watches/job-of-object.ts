import type { PresetJob } from '../api/job-request.ts';
import { invalidRequest } from '../errors.ts';
import { keyBelow, keyTemplateSchema, objectKeySchema } from '../storage/object-key.ts';
import type { JobOutput } from '../submission/accept-job.ts';
import type { Watch } from './watch.ts';

/** In the template of a watch: the key of the object below the prefix of the watch, without its extension. */
export const sourcePlaceholder = '{source}';

/** An object, the prefix of its watch, and that of its storage provider. */
export type PlacedObject = { key: string; prefix: string; providerPrefix?: string | undefined };

/**
 * The job of an object, and where its results go.
 *
 * @throws AppError VALIDATION_ERROR at `input.key` for a key that no input can have
 */
export function jobOfObject(
  watch: Watch,
  { key, prefix, providerPrefix }: PlacedObject,
): { job: PresetJob; output: JobOutput } {
  const { error } = objectKeySchema.safeParse(key);
  if (error !== undefined) throw invalidRequest([{ path: 'input.key', message: error.issues[0]?.message ?? '' }]);
  const { storageProviderId, bucket, preset, name } = watch;
  const input =
    bucket === undefined ? { storageProviderId, key: keyBelow(key, providerPrefix) } : { url: `s3://${bucket}/${key}` };
  const source = key
    .slice(prefix.length)
    .replace(/^\//, '')
    .replace(/\.[^./]*$/, '')
    .replaceAll(/[{}]/g, '_');
  const template = watch.output.key.replaceAll(sourcePlaceholder, () => source);
  // A template has a length. The id names the source, too.
  const fits = keyTemplateSchema.safeParse(template).success;
  return {
    job: { mode: 'preset', preset, input, metadata: { watch: name } },
    output: {
      storageProviderId: watch.output.storageProviderId,
      key: fits ? template : watch.output.key.replaceAll(sourcePlaceholder, '{jobId}'),
    },
  };
}
