import { JobError } from '@media-jobs/video/errors';
import type { ObjectStore, ProviderUpload } from '../../../core/storage/object-store.ts';

type StoredObject = { mark: string; sizeBytes: number };

export type ProviderChange =
  | { kind: 'provider-published'; key: string; mark: string }
  | { kind: 'provider-unpublished'; key: string; mark: string }
  | { kind: 'provider-begun'; key: string; mark: string; uploadId: string }
  | { kind: 'provider-ended'; key: string; mark: string; uploadId: string };

export type MemoryObjectStore = ObjectStore & {
  /** The visible objects by key. */
  objects: ReadonlyMap<string, StoredObject>;
  /** The uploads that were begun and neither completed nor ended. */
  uploads: ReadonlyMap<string, ProviderUpload & { mark: string }>;
};

/** A storage provider in memory. `sizeOf` tells the size of a file on the disk. */
export function memoryObjectStore({
  onChange = () => undefined,
  sizeOf = () => 1,
}: {
  onChange?: (change: ProviderChange) => void;
  sizeOf?: (path: string) => number;
} = {}): MemoryObjectStore {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, ProviderUpload & { mark: string }>();
  const parts = new Map<string, number>();
  let begun = 0;
  const end = (uploadId: string) => {
    const upload = uploads.get(uploadId);
    if (upload === undefined) return;
    uploads.delete(uploadId);
    onChange({ kind: 'provider-ended', key: upload.key, mark: upload.mark, uploadId });
  };
  return {
    objects,
    uploads,
    prefix: undefined,
    begin: async ({ key, mark }) => {
      const uploadId = `upload-${++begun}`;
      uploads.set(uploadId, { key, uploadId, mark });
      onChange({ kind: 'provider-begun', key, mark, uploadId });
      return { key, uploadId };
    },
    send: async ({ uploadId }, { path, onProgress }) => {
      if (!uploads.has(uploadId)) throw new JobError('UPLOAD_ERROR', 'NoSuchUpload', { retryable: false });
      parts.set(uploadId, sizeOf(path));
      onProgress(sizeOf(path));
      return ['etag'];
    },
    complete: async ({ key, uploadId }, mark) => {
      const upload = uploads.get(uploadId);
      if (upload === undefined) {
        if (objects.get(key)?.mark === mark) return;
        throw new JobError('UPLOAD_ERROR', 'NoSuchUpload', { retryable: false });
      }
      end(uploadId);
      objects.set(key, { mark, sizeBytes: parts.get(uploadId) ?? 0 });
      onChange({ kind: 'provider-published', key, mark });
    },
    abort: async ({ uploadId }) => end(uploadId),
    unfinished: async (key) => [...uploads.values()].filter((upload) => upload.key === key),
    remove: async (key, mark) => {
      if (objects.get(key)?.mark !== mark) return;
      objects.delete(key);
      onChange({ kind: 'provider-unpublished', key, mark });
    },
  };
}
