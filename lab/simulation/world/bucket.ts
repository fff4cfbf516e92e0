import { JobError } from '@media-jobs/video/errors';
import type { MediaOrigin, StoredMedia } from './media-origin.ts';

/** The media bucket: its objects, and what each was made from. */
export type Bucket = {
  put(key: string, object: StoredMedia): void;
  find(key: string): StoredMedia | undefined;
  /** An object of the media of these. */
  assemble(keys: readonly string[]): StoredMedia;
  /** The keys under a prefix that contains the job. */
  list(prefix: string): string[];
  /** Removes the objects under a prefix, except those under `except`. */
  removeAll(prefix: string, except: readonly string[]): void;
};

export type BucketChange =
  | { kind: 'object-stored'; key: string; made: MediaOrigin }
  | { kind: 'object-removed'; key: string };

export function memoryBucket(onChange: (change: BucketChange) => void): Bucket {
  /** By job, the second segment of every key, so that a removal scans few. */
  const jobs = new Map<string, Map<string, StoredMedia>>();
  const objectsOf = (key: string) => {
    const [, jobId = ''] = key.split('/');
    const objects = jobs.get(jobId) ?? new Map<string, StoredMedia>();
    jobs.set(jobId, objects);
    return objects;
  };
  return {
    put: (key, object) => {
      objectsOf(key).set(key, object);
      onChange({ kind: 'object-stored', key, made: object.made });
    },
    find: (key) => objectsOf(key).get(key),
    assemble: (keys) => {
      const parts = [...new Set(keys)].map((key) => {
        const object = objectsOf(key).get(key);
        if (object === undefined) throw new JobError('UPLOAD_ERROR', `${key} is gone`);
        return { key, made: object.made };
      });
      const [only] = parts;
      // The copy of an object.
      const isCopy = parts.length === 1 && only !== undefined && only.made.kind !== 'chunk';
      if (isCopy) return { made: only.made, etag: keys.join(), sizeBytes: 50_000 };
      return { made: { kind: 'joined', parts }, etag: keys.join(), sizeBytes: 50_000 };
    },
    list: (prefix) => [...objectsOf(prefix).keys()].filter((key) => key.startsWith(prefix)),
    removeAll: (prefix, except) => {
      const objects = objectsOf(prefix);
      for (const key of objects.keys()) {
        if (!key.startsWith(prefix) || except.some((kept) => key.startsWith(kept))) continue;
        objects.delete(key);
        onChange({ kind: 'object-removed', key });
      }
    },
  };
}
