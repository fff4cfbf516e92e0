import type { getFileContract } from '../../../core/api/files.ts';
import { AppError } from '../../../core/errors.ts';
import { fileUrlSearch, urlSecondsLeft } from '../../../core/jobs/file-url.ts';
import type { FileStorage, JobTable } from '../../../core/jobs/ports.ts';
import { filenameOf } from '../../../core/jobs/stored-file.ts';
import { hasDownloadableFiles } from '../../../core/jobs/view.ts';
import { formats } from '../../../core/media/formats.ts';
import {
  canReferenceFiles,
  eachReference,
  findReferences,
  type ReferencingFormat,
  replaceReferences,
} from '../../../core/media/playlists/references.ts';
import { assertSetReferences, referencedSet } from '../../../core/media/playlists/set-files.ts';
import type { StorageProviderRef } from '../../../core/storage/provider.ts';
import type { PublicRouteApp } from '../../runtime/http/route.ts';
import { type PermitDeps, withPermit } from '../../runtime/with-permit.ts';

export type GetFileDeps = PermitDeps & {
  /** Strongly consistent, so that a deleted job ends its URLs at once. */
  jobs: Pick<JobTable, 'get'>;
  bucket: FileStorage;
  openProvider: (ref: StorageProviderRef) => Promise<FileStorage>;
  /** The group of an owner's permits. */
  permitGroup: (ownerId: string) => string;
  /** Playlists of an owner that are read at storage providers at the same time. */
  maxPlaylistReads: number;
};

/** A player requests each range of a stream here, so that a presigned URL serves one request only. */
const rangeSeconds = 300;

/**
 * Redirects to a file of a job, by a URL that the job's own secret signs. A playlist or cue list of a set is returned
 * instead, with the query of the request behind each file name.
 */
export function getFile(deps: GetFileDeps): PublicRouteApp<typeof getFileContract> {
  return async ({ params: { id: jobId, file: name }, query }) => {
    const now = deps.clock.now();
    const job = await deps.jobs.get({ ownerId: query.owner, jobId });
    if (job === undefined || job.state === 'deleted') throw invalidUrl();
    const seconds = urlSecondsLeft(query, { job, file: name, now });
    if (seconds === undefined) throw invalidUrl();
    const files = hasDownloadableFiles(job, now) ? Object.values(job.files) : [];
    const file = files.find((each) => filenameOf(each) === name);
    if (file === undefined) throw new AppError('NOT_FOUND', 'There is no such file.');
    const { storageProviderId } = file.storage ?? {};
    const storage =
      storageProviderId === undefined
        ? deps.bucket
        : await deps.openProvider({ ownerId: job.ownerId, storageProviderId });
    const { key } = file.storage ?? file;
    const format = file.file_format;
    if (query.set !== undefined && referencedSet(name) !== undefined && canReferenceFiles(format)) {
      const answer = async () => {
        const text = await storage.readText(key);
        const rewrite = () => addSearch(text, { name, format, search: fileUrlSearch(query) });
        if (storageProviderId === undefined) return rewrite();
        if (Buffer.byteLength(text) !== Math.round(file.size_mbytes * 1_000_000)) throw replacedFile();
        return rewriteUntrusted(rewrite);
      };
      const body =
        storageProviderId === undefined ? await answer() : await readAtProvider(deps, job.ownerId, answer);
      const headers = { 'content-type': formats[format].mimeType };
      return { status: 200, headers, body };
    }
    const lifetimeSeconds = query.set === undefined ? seconds : Math.min(seconds, rangeSeconds);
    const location = await storage.sign(
      { key, filename: file.filename, mimeType: file.mime_type },
      lifetimeSeconds,
    );
    return { status: 302, headers: { location, 'cache-control': 'no-store' } };
  };
}

/** Longer than a function runs. */
const providerReadExpiryMs = 30_000;

function readAtProvider(deps: GetFileDeps, ownerId: string, call: () => Promise<string>): Promise<string> {
  const { permitGroup, maxPlaylistReads: max } = deps;
  const rule = { group: permitGroup(ownerId), max, expiryMs: providerReadExpiryMs };
  const rejection = () =>
    new AppError(
      'UNAVAILABLE',
      'The storage provider is slow and other reads wait for it; try again shortly.',
    );
  return withPermit(deps, rule, { call, rejection });
}

/**
 * Appends a query to each file name in a document of a set.
 * @throws RangeError if the document names anything but files of its set
 */
function addSearch(
  text: string,
  { name, format, search }: { name: string; format: ReferencingFormat; search: string },
): string {
  assertSetReferences(name, eachReference(text, format));
  const urls = findReferences(text, format).map((each) => [each, each + search] as const);
  return replaceReferences(text, format, new Map(urls));
}

/** What the owner of a storage provider put in the place of a playlist is no failure of the service. */
function rewriteUntrusted(rewrite: () => string): string {
  try {
    return rewrite();
  } catch (cause) {
    throw cause instanceof RangeError ? replacedFile(cause) : cause;
  }
}

function replacedFile(cause?: RangeError): AppError {
  const message = 'The file at the storage provider is no longer the one that this job wrote.';
  return new AppError('NOT_FOUND', message, { cause });
}

/** One error for all reasons, so that a stranger learns nothing about jobs. */
function invalidUrl(): AppError {
  return new AppError(
    'FORBIDDEN',
    'This URL was changed, has expired, or its job was deleted; request the job again.',
  );
}
