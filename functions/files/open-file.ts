import {
  assertSetReferences,
  canReferenceFiles,
  eachReference,
  findReferences,
  formats,
  type ReferencingFormat,
  referencesSet,
  replaceReferences,
} from '@media-jobs/video/media';
import type { PublicRouteApp } from '../../adapters/runtime/http/route.ts';
import type { ContractInput } from '../../core/api/contract.ts';
import { fileNotFoundMessage, type getFileContract, type headFileContract } from '../../core/api/files.ts';
import type { getEmbedPageContract } from '../../core/api/playback.ts';
import { type LimitDeps, withinLimit } from '../../core/concurrency-limit.ts';
import { AppError } from '../../core/errors.ts';
import { type FileUrlQuery, fileUrlSearch, isValidFileUrl } from '../../core/jobs/file-url.ts';
import { inputAddress, inputSigner, uploadedInput } from '../../core/jobs/kept-input.ts';
import type { Clock, FileStorage, JobTable } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { attemptOf, filePathOf, type StoredFile, sizeBytesOf } from '../../core/jobs/stored-file.ts';
import { downloadableFiles } from '../../core/jobs/view.ts';
import { attachmentHeader } from '../../core/net/response.ts';
import type { PlaybackRecords } from '../../core/playback/edge-store.ts';
import { embedPolicy } from '../../core/playback/embed-page.ts';
import type { StorageProviderRef } from '../../core/storage/provider.ts';

export type OpenFileDeps = LimitDeps & {
  /** Strongly consistent, so that a deleted job ends its URLs at once. */
  jobs: Pick<JobTable, 'get'>;
  playbacks: Pick<PlaybackRecords, 'get'>;
  bucket: FileStorage;
  openProvider: (ref: StorageProviderRef) => Promise<FileStorage>;
  limitOfOwner: (ownerId: string) => string;
  /** Playlists of an owner that are read at storage providers at the same time. */
  maxPlaylistReads: number;
};

/** A playlist, a manifest or cues as it is returned, or the storage of another file. */
export type OpenedFile =
  | { is: 'playlist'; mimeType: (typeof formats)[ReferencingFormat]['mimeType']; text: string }
  | { is: 'stored'; file: Download; storage: FileStorage; key: string };

/** What the headers of a download tell. The size of the input of a job that has not ended is unknown. */
export type Download = Pick<StoredFile, 'filename' | 'mime_type'> & Partial<Pick<StoredFile, 'size_mbytes'>>;

/**
 * Opens a file of a job by a URL that the job's own secret signs.
 * @throws AppError `NOT_FOUND`, `FORBIDDEN`, or that of a playlist that cannot be read
 */
async function openFile(
  deps: OpenFileDeps,
  { params: { id: jobId, output, file: name }, query }: ContractInput<typeof getFileContract>,
): Promise<OpenedFile> {
  const job = ownerPattern.test(query.o) ? await deps.jobs.get({ ownerId: query.o, jobId }) : undefined;
  if (job === undefined || job.state === 'deleted') throw noSuchFile();
  const now = deps.clock.now();
  if (output === inputAddress.output && name === inputAddress.file) return openInput(deps, job, { query, now });
  const find = (files: readonly StoredFile[]) => files.find((each) => filePathOf(each) === `${output}/${name}`);
  const file = find(Object.values(downloadableFiles(job, now)));
  // What was finished is no longer listed if the job has failed.
  const unlisted = 'completedSteps' in job ? find(Object.values(job.completedSteps?.result.files ?? {})) : undefined;
  const signer = file ?? unlisted;
  const attempt = signer === undefined ? job.attempt : attemptOf(signer);
  const signed = { job: { ...job, attempt }, address: { output, file: name }, now };
  // Only a URL for a viewer costs the second read.
  const isValid =
    isValidFileUrl(query, signed) || isValidFileUrl(query, { ...signed, playback: await deps.playbacks.get(job) });
  if (!isValid) throw invalidUrl();
  if (file === undefined) throw noSuchFile();
  const { storageProviderId, key } = file.storage ?? { key: file.key };
  const storage =
    storageProviderId === undefined
      ? deps.bucket
      : await deps.openProvider({ ownerId: job.ownerId, storageProviderId });
  const format = file.file_format;
  if (!referencesSet(name) || !canReferenceFiles(format)) return { is: 'stored', file, storage, key };
  const rewrite = (text: string) => addSearch(text, { name, format, search: fileUrlSearch(query) });
  const readUntrusted = async () => {
    const text = await storage.readText(key);
    if (Buffer.byteLength(text) !== sizeBytesOf(file)) throw replacedFile();
    return rewriteUntrusted(() => rewrite(text));
  };
  const text =
    storageProviderId === undefined
      ? rewrite(await storage.readText(key))
      : await readAtProvider(deps, job.ownerId, readUntrusted);
  return { is: 'playlist', mimeType: formats[format].mimeType, text };
}

function openInput({ bucket }: OpenFileDeps, job: Job, { query, now }: { query: FileUrlQuery; now: Date }): OpenedFile {
  if (!isValidFileUrl(query, { job: inputSigner(job), address: inputAddress, now })) throw invalidUrl();
  const upload = uploadedInput(job);
  if (upload === undefined) throw noSuchFile();
  const size_mbytes =
    'inputSizeBytes' in job && job.inputSizeBytes !== undefined ? job.inputSizeBytes / 1e6 : undefined;
  return {
    is: 'stored',
    file: { ...upload.file, ...(size_mbytes && { size_mbytes }) },
    storage: bucket,
    key: upload.key,
  };
}

/** Everything else is no part of a table key. */
const ownerPattern = /^[\w-]{1,100}$/;

/** Longer than a function runs. */
const providerReadExpiryMs = 30_000;

function readAtProvider(deps: OpenFileDeps, ownerId: string, call: () => Promise<string>): Promise<string> {
  const { limitOfOwner, maxPlaylistReads: max } = deps;
  const rule = { limit: limitOfOwner(ownerId), max, expiryMs: providerReadExpiryMs };
  const refused = () => {
    throw new AppError('UNAVAILABLE', 'The storage provider is slow and other reads wait for it; try again shortly.');
  };
  return withinLimit(deps, rule, { call, refused });
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

function invalidUrl(): AppError {
  return new AppError('FORBIDDEN', 'This URL was changed or has expired; request the job again.');
}

function noSuchFile(): AppError {
  return new AppError('NOT_FOUND', fileNotFoundMessage);
}

/** Redirects to a file of a job. A playlist of a set is returned instead, with the query of the request behind each name. */
export function getFile(deps: OpenFileDeps): PublicRouteApp<typeof getFileContract> {
  return async (request) => {
    const opened = await openFile(deps, request);
    if (opened.is === 'playlist') {
      const headers = { 'content-type': opened.mimeType, 'accept-ranges': 'none' };
      return { status: 200, headers, body: opened.text };
    }
    const { storage, key, file } = opened;
    const location = await storage.sign({ key, filename: file.filename, mimeType: file.mime_type });
    return { status: 302, headers: { location } };
  };
}

/** Answers the headers of what a GET of the same URL leads to. */
export function headFile(deps: OpenFileDeps): PublicRouteApp<typeof headFileContract> {
  return async (request) => {
    const opened = await openFile(deps, request);
    const headers: Record<string, string> =
      opened.is === 'playlist' ? headersOfPlaylist(opened.text, opened.mimeType) : headersOfFile(opened.file);
    return { status: 200, headers };
  };
}

function headersOfPlaylist(text: string, mimeType: string) {
  return { 'content-type': mimeType, 'content-length': String(Buffer.byteLength(text)), 'accept-ranges': 'none' };
}

function headersOfFile({ filename, mime_type, size_mbytes }: Download): Record<string, string> {
  return {
    'content-type': mime_type,
    'content-disposition': attachmentHeader(filename),
    ...(size_mbytes !== undefined && { 'content-length': String(sizeBytesOf({ size_mbytes })) }),
    'accept-ranges': 'bytes',
  };
}

type Open = (ref: StorageProviderRef) => Promise<FileStorage>;

const cacheMs = 60_000;
const maxCached = 100;

/**
 * Caches opened storage providers for a minute: a player requests a range every few seconds, and each opening decrypts a
 * secret or assumes a role.
 */
export function cacheOpened(clock: Pick<Clock, 'now'>, open: Open): Open {
  const cached = new Map<string, { opened: Promise<FileStorage>; until: number }>();
  return ({ ownerId, storageProviderId }) => {
    const name = JSON.stringify([ownerId, storageProviderId]);
    const now = clock.now().getTime();
    const known = cached.get(name);
    if (known !== undefined && now < known.until) return known.opened;
    if (cached.size >= maxCached) cached.clear();
    const opened = open({ ownerId, storageProviderId });
    cached.set(name, { opened, until: now + cacheMs });
    opened.catch(() => cached.delete(name));
    return opened;
  };
}

export type EmbedPageDeps = { readPage: () => Promise<string>; frameAncestors: string };

/** Answers the player's page. What it plays is behind the hash of its URL, which no server gets. */
export function getEmbedPage({ readPage, frameAncestors }: EmbedPageDeps): PublicRouteApp<typeof getEmbedPageContract> {
  let page: Promise<string> | undefined;
  return async () => {
    page ??= readPage();
    const body = await page;
    return {
      status: 200,
      body,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': embedPolicy(body, frameAncestors),
        'referrer-policy': 'no-referrer',
        'cache-control': 'public, max-age=300',
      },
    };
  };
}
