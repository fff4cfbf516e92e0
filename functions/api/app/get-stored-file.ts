import * as z from 'zod';
import type { getStoredFileContract } from '../../../core/api/stored-files.ts';
import { AppError } from '../../../core/errors.ts';
import type { Clock, FileLinks, JobTable, PlaylistFiles } from '../../../core/jobs/ports.ts';
import {
  filenameOf,
  providerFileUrl,
  providerPointerKey,
  type StoredFile,
} from '../../../core/jobs/stored-file.ts';
import { formats } from '../../../core/media/formats.ts';
import {
  canReferenceFiles,
  eachReference,
  findReferences,
  replaceReferences,
} from '../../../core/media/playlists/references.ts';
import { assertSetReferences, referencingFilePattern } from '../../../core/media/playlists/set-files.ts';
import type { StorageProviderRef } from '../../../core/storage/provider.ts';
import type { PublicRouteApp } from '../../runtime/http/route.ts';
import { expiryOf } from './signature-expiry.ts';

/** Reads and signs objects of a storage provider with its own access. */
export type ProviderFiles = {
  readText(key: string): Promise<string>;
  /** A presigned GET URL that expires at `expiresAt` at the latest. */
  sign(file: { key: string; filename: string; mimeType: string }, expiresAt: Date): Promise<string>;
};

export type GetStoredFileDeps = {
  /** Reads the pointer with the caller's signature. */
  pointers: Pick<PlaylistFiles, 'read'>;
  jobs: Pick<JobTable, 'get'>;
  openFiles: (ref: StorageProviderRef) => Promise<ProviderFiles>;
  links: Pick<FileLinks, 'signPointer' | 'publicUrl'>;
  clock: Pick<Clock, 'now'>;
};

const pointerSchema = z.object({ ownerId: z.string() });

/**
 * Redirects to a file at a storage provider. The signature of the request is that of the job's pointer in the media bucket
 * and of the file's name: S3 validates it. A playlist is returned, with signed URLs in it: those of other playlists lead
 * here again. No URL outlives the requested one.
 */
export function getStoredFile(deps: GetStoredFileDeps): PublicRouteApp<typeof getStoredFileContract> {
  return async ({ params: { id: jobId, attempt, file: name }, query }) => {
    if (query['x-file'] !== name) throw new AppError('FORBIDDEN', 'This URL was changed.');
    const pointerKey = providerPointerKey({ jobId, attempt: Number(attempt) });
    const pointer = await deps.pointers.read({ key: pointerKey, signature: query });
    const { ownerId } = pointerSchema.parse(JSON.parse(pointer));
    const job = await deps.jobs.get({ ownerId, jobId });
    const files =
      job?.state === 'completed' && job.attempt === Number(attempt) ? Object.values(job.files) : [];
    const find = (filename: string) => files.find((each) => filenameOf(each) === filename);
    const { storage, filename, mimeType } = located(find(name));
    const provider = await deps.openFiles({ ownerId, storageProviderId: storage.storageProviderId });
    const expiresAt = expiryOf(query);
    const urlOf = async (each: string) => {
      const { storage, ...file } = located(find(each));
      if (!isPlaylist(each)) return provider.sign({ key: storage.key, ...file }, expiresAt);
      const lifetimeSeconds = Math.floor((expiresAt.getTime() - deps.clock.now().getTime()) / 1000);
      if (lifetimeSeconds < 1)
        throw new AppError('FORBIDDEN', 'This URL has expired; request the job again.');
      const { url } = await deps.links.signPointer({ key: pointerKey, file: each, lifetimeSeconds });
      const { publicUrl } = deps.links;
      return providerFileUrl({
        publicUrl,
        job: { jobId, attempt: Number(attempt) },
        name: each,
        signedUrl: url,
      });
    };
    const format = name.split('.').at(-1) ?? '';
    if (!isPlaylist(name) || !canReferenceFiles(format)) {
      const location = await provider.sign({ key: storage.key, filename, mimeType }, expiresAt);
      return { status: 302, headers: { location, 'cache-control': 'no-store' } };
    }
    const text = await provider.readText(storage.key);
    assertSetReferences(name, eachReference(text, format));
    const names = findReferences(text, format);
    const urls = await Promise.all(names.map(async (each) => [each, await urlOf(each)] as const));
    const headers = { 'content-type': formats[format].mimeType };
    return { status: 200, headers, body: replaceReferences(text, format, new Map(urls)) };
  };
}

/** Whether a file at a provider names others, and so is returned with signed URLs in place of their names. */
const isPlaylist = (name: string) => referencingFilePattern.test(name);

function located(file: StoredFile | undefined) {
  if (file?.storage === undefined) throw new AppError('NOT_FOUND', 'There is no such file.');
  return { storage: file.storage, filename: file.filename, mimeType: file.mime_type };
}
