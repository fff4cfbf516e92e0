import * as z from 'zod';
import { type SubmitObjectDeps, submitObject } from '../../core/watches/submit-object.ts';
import {
  isWatched,
  type OpenWatched,
  objectHash,
  versionOf,
  type Watch,
  type WatchTable,
} from '../../core/watches/watch.ts';

/** `Object Created` of Amazon S3 on EventBridge. Its key is not encoded, unlike that of S3's own notifications. */
export const objectCreatedSchema = z.object({
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({
      key: z.string(),
      size: z.number().optional(),
      etag: z.string().default(''),
      'version-id': z.string().optional(),
    }),
  }),
});

export type ObjectCreated = z.output<typeof objectCreatedSchema>;

export type WatchDeps = SubmitObjectDeps & {
  watches: WatchTable;
  /** Those of the settings. */
  ofStage: readonly Watch[];
  openWatched: OpenWatched;
};

/**
 * Makes the jobs of a new object: one for each watch that it is for and that is not paused. Events come in any order, late and
 * more than once. So the object is looked at: one that is gone or replaced needs no job.
 */
export function takeEvent(deps: WatchDeps): (event: ObjectCreated) => Promise<void> {
  return async ({ detail: { bucket, object } }) => {
    const { key, size, etag } = object;
    const created = {
      key,
      versionId: versionOf(object['version-id']),
      etag,
      ...(size !== undefined && { sizeBytes: size }),
    };
    for (const watch of deps.ofStage.filter((one) => one.bucket === bucket.name)) {
      if (!isWatched(watch, watch.prefix, created)) continue;
      if ((await deps.watches.state(watch.name)).isPaused) continue;
      const opened = await deps.openWatched(watch);
      const current = await opened.head(created.key);
      if (current === undefined || !isWatched(watch, opened.prefix, current)) continue;
      const isSame = objectHash(current) === objectHash(created);
      // An earlier version still exists where there are versions.
      if (!isSame && created.versionId === undefined) continue;
      await submitObject(deps, watch, { ...opened, ...current, ...created });
    }
  };
}
