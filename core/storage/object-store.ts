import type { ObjectOptions } from './object-options.ts';
import type { StorageProviderRef } from './provider.ts';

/** A multipart upload at a provider. It is invisible until it is completed. */
export type ProviderUpload = { key: string; uploadId: string };

export type PlannedObject = { key: string; mimeType: string; mark: string; sizeBytes?: number } & ObjectOptions;

export type UploadedFile = ProviderUpload & {
  sizeBytes: number;
  /** The ETags of its parts, in order. */
  etags: readonly string[];
};

/**
 * The objects of one storage provider. Every object that the service writes has a mark in its metadata, which tells it from
 * an object of another attempt or program under the same key. After an error it is unknown whether a call took effect.
 *
 * @throws JobError `UPLOAD_ERROR` with the provider's error code
 */
export type ObjectStore = {
  prefix: string | undefined;
  /** Announces uploads that `begin` creates next, where one call for all of them is cheaper than one for each. */
  prepare?(objects: readonly PlannedObject[], signal: AbortSignal): Promise<void>;
  /** Creates a multipart upload. Repeated for some seconds while the provider fails. */
  begin(object: PlannedObject, signal: AbortSignal): Promise<ProviderUpload>;
  /** Uploads all bytes of a file; returns the ETags of its parts. A part is repeated for some seconds, too. */
  send(
    upload: ProviderUpload,
    file: { path: string; signal: AbortSignal; onProgress: (bytes: number) => void },
  ): Promise<string[]>;
  /** Makes an uploaded file visible, and verifies its size. Idempotent. After an abort it throws the reason of the signal. */
  complete(file: UploadedFile, mark: string, signal?: AbortSignal): Promise<void>;
  /** Aborts an upload that was not completed. Idempotent. */
  abort(upload: ProviderUpload): Promise<void>;
  /** The unfinished uploads of a key, those of other programs included. */
  unfinished(key: string): Promise<ProviderUpload[]>;
  /** Removes the object of a key if it has this mark. */
  remove(key: string, mark: string): Promise<void>;
};

/** Opens a provider. Throws JobError `UPLOAD_ERROR` if it was removed or its credentials are not accepted. */
export type OpenObjectStore = (ref: StorageProviderRef) => Promise<ObjectStore>;
