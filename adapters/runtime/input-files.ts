import { Readable } from 'node:stream';
import type { MediaLocation } from '@media-jobs/video/chunking';
import { hashFile } from '@media-jobs/video/runner';
import pRetry from 'p-retry';
import { parseUploadUrl, uploadKey } from '../../core/uploads/upload.ts';
import { userAgent } from '../../core/version.ts';
import type { DownloadInputRequest, Sources, StatedByHost } from '../../core/worker/ports.ts';
import { downloadInput, downloadUnlessLarge, streamInput } from '../http/download-input.ts';
import { HttpFailure, mayRetry, ShortBodyFailure, toInputError } from '../http/http-failure.ts';
import { downloadObject, downloadUpload } from '../s3/download-upload.ts';
import { uploadStream } from '../s3/media-files.ts';
import { type BucketAccess, headObject } from '../s3/read-object.ts';
import { withInputErrors } from '../storage/provider-error.ts';
import { inputBuckets } from './object-stores.ts';
import type { OpenClient } from './provider-clients.ts';
import { requestTimeouts } from './range-proxies.ts';
import { storedInputs, urlRules } from './url-rules.ts';

/** A copy that broke off starts again: its server serves no ranges. */
const maxCopyRestarts = 2;

/** Without a location, the file is on this disk. */
type Fetched = { bytes: number; location?: MediaLocation | undefined } & StatedByHost;

/** Fetches inputs by URL, uploads, and objects of storage providers; locates those that may stay in place. */
export function inputFiles(
  media: BucketAccess,
  { tableName, totalMs, clientOf }: { tableName: string; totalMs: number; clientOf?: OpenClient },
): Sources['download'] {
  const openBucket = inputBuckets(tableName, clientOf);
  const storedInputOf = storedInputs();
  const { reachable } = urlRules().input;

  const fromUrl = async ({ ownerId: _, asRemote, maxBytes, ...request }: DownloadInputRequest): Promise<Fetched> => {
    const rules = { reachable, userAgent, limits: { ...requestTimeouts, totalMs, maxBytes } };
    if (asRemote === undefined) {
      const { bytes, name, shortfall } = await downloadInput({ ...request, ...rules });
      return { bytes, statedName: name, shortfall };
    }
    const leaveFromBytes = asRemote.fromBytes;
    const fetched = await downloadUnlessLarge({ ...request, ...rules, leaveFromBytes });
    const { name: statedName } = fetched;
    if (!('pinned' in fetched)) return { bytes: fetched.bytes, statedName, shortfall: fetched.shortfall };
    const { sizeBytes: bytes, pinned } = fetched;
    const isCopied = bytes !== undefined && bytes <= (asRemote.copiesUpToBytes ?? 0);
    if (pinned !== undefined && !isCopied) return { bytes, statedName, location: { input: asRemote.input, ...pinned } };
    asRemote.onCopy?.();
    return { statedName, ...(await copyInput(media, { ...request, ...rules }, asRemote.copyKey)) };
  };

  const fromMediaBucket = async (
    { ownerId, asRemote, ...request }: DownloadInputRequest,
    objectId: string,
  ): Promise<Fetched> => {
    const key = uploadKey(ownerId, objectId);
    const object = { ...request, key, leaveFromBytes: asRemote?.fromBytes };
    const { bytes, leftEtag: etag } = await downloadUpload(media, object);
    return { bytes, location: etag === undefined ? undefined : { key, etag } };
  };

  const fromProvider = async (
    { ownerId, asRemote, ...request }: DownloadInputRequest,
    stored: { storageProviderId: string; key: string },
  ): Promise<Fetched> => {
    const { key, ...access } = await openBucket({ ownerId, ...stored });
    return withInputErrors(async () => {
      const object = { ...request, key, leaveFromBytes: asRemote?.fromBytes };
      const { bytes, leftEtag: etag } = await downloadObject(access, object);
      return { bytes, location: etag === undefined ? undefined : { ...stored, etag } };
    }, request.signal);
  };

  const fetchOrLocate = (request: DownloadInputRequest): Promise<Fetched> => {
    if (/^https?:/i.test(request.url)) return fromUrl(request);
    const stored = storedInputOf(request);
    if (stored !== undefined) return fromProvider(request, stored);
    const upload = parseUploadUrl(request.url);
    return upload === undefined ? fromUrl(request) : fromMediaBucket(request, upload.objectId);
  };

  return async (request) => {
    const { bytes, location, ...stated } = await fetchOrLocate(request);
    if (location !== undefined) return { bytes, location, ...stated };
    return { bytes, ...stated, sha256: await hashFile(request.path, request.signal) };
  };
}

type CopyRequest = Parameters<typeof streamInput>[0];

/** Copies an input to the media bucket in one stream, in constant memory, since its server serves no ranges. */
async function copyInput(media: BucketAccess, request: CopyRequest, key: string): Promise<Fetched> {
  const { signal } = request;
  let cut: ShortBodyFailure | undefined;
  const copy = async () => {
    const { body, totalBytes: sizeBytes } = await streamInput({ ...request, endsAt: cut?.sentBytes });
    const stored = { key, body: Readable.from(body), mimeType: 'application/octet-stream' };
    await uploadStream(media, { ...stored, sizeBytes, signal });
  };
  try {
    await pRetry(copy, {
      signal,
      retries: maxCopyRestarts,
      shouldRetry: ({ error }) => {
        cut = error instanceof ShortBodyFailure ? error : undefined;
        return error instanceof HttpFailure && mayRetry(error);
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw toInputError(error);
  }
  const { etag, totalBytes: bytes } = await headObject(media, { key }, signal);
  return { bytes, location: { key, etag }, shortfall: cut?.sentBytes === bytes ? cut.message : undefined };
}
