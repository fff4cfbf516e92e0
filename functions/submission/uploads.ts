import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { Principal } from '../../core/access/authentication.ts';
import { limitExceeded, lowerLimit, type OwnerLimits } from '../../core/access/owner-limits.ts';
import type {
  abortUploadContract,
  completeUploadContract,
  createUploadContract,
  listUploadPartsContract,
  signUploadPartsContract,
} from '../../core/api/uploads.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { type ReservedId, type ReserveIdDeps, replayed, reserveId } from '../../core/idempotency.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import {
  choosePartSizeBytes,
  formatUploadId,
  maxSinglePutBytes,
  multipartObjectId,
  parseUploadId,
  partsOf,
  type UploadLedger,
  type UploadPart,
  type Uploads,
  uploadInputUrl,
  uploadKey,
} from '../../core/uploads/upload.ts';
import { type AnnouncedUpload, secondsToNextDay } from '../../core/uploads/upload-day.ts';

export type CreateUploadDeps = ReserveIdDeps & {
  uploads: Uploads;
  /** The size limit of inputs. A job would reject a larger file. */
  maxInputBytes: number;
  ledger: UploadLedger;
  limits: Pick<OwnerLimits, 'maxUploadBytesPerDay'>;
  clock: Pick<Clock, 'now'>;
};

/**
 * Presigns one PUT or, on request and above S3's limit of one PUT, a multipart upload. A replay presigns the same upload
 * anew.
 */
export function createUpload(deps: CreateUploadDeps): RouteApp<typeof createUploadContract> {
  const { uploads, maxInputBytes } = deps;
  return async ({ body: { sizeBytes, contentType, filename, multipart }, rawBody, headers, principal }) => {
    const { ownerId } = principal;
    rejectTooLarge(sizeBytes, maxInputBytes);
    const isMultipart = multipart === true || sizeBytes > maxSinglePutBytes;
    const objectIdOf = (id: string) => (isMultipart ? multipartObjectId(id, sizeBytes) : id);
    const idempotencyKey = headers['idempotency-key'];
    const keyed = { ownerId, idempotencyKey, request: { createUpload: rawBody } };
    const reserved = await reserveId(deps, keyed, ({ id }) =>
      countAnnounced(deps, principal, { ownerId, uploadId: objectIdOf(id), sizeBytes }),
    );
    const objectId = objectIdOf(reserved.id);
    const key = uploadKey(ownerId, objectId);
    const inputUrl = uploadInputUrl(objectId, filename);
    const created = { status: 201, ...replayed(reserved) } as const;
    if (!isMultipart) {
      const { url, expiresAt } = await uploads.signPut({ key, sizeBytes });
      return { ...created, body: { inputUrl, uploadUrl: url, expiresAt: expiresAt.toISOString() } };
    }
    const partSizeBytes = choosePartSizeBytes(sizeBytes);
    const file = { key, contentType, parts: partsOf(sizeBytes) };
    const { s3UploadId, partUrls, expiresAt } = await openMultipart(deps, reserved, file);
    const uploadId = formatUploadId({ objectId, s3UploadId });
    const body = { inputUrl, uploadId, partUrls, partSizeBytes, expiresAt: expiresAt.toISOString() };
    return { ...created, body };
  };
}

/** Creates the multipart upload, or presigns the parts of the one that an earlier request created. */
async function openMultipart(
  { uploads, reservations }: CreateUploadDeps,
  { reservation }: ReservedId,
  file: Parameters<Uploads['createMultipartUpload']>[0],
) {
  const s3UploadId = reservation?.result;
  if (s3UploadId !== undefined) return { s3UploadId, ...(await uploads.signParts({ ...file, s3UploadId })) };
  const opened = await uploads.createMultipartUpload(file);
  if (reservation !== undefined) await reservations.complete(reservation, opened.s3UploadId);
  return opened;
}

function rejectTooLarge(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes <= maxBytes) return;
  const message = `The file has ${sizeBytes} bytes; the limit of inputs is ${maxBytes} bytes`;
  throw invalidRequest([{ path: 'sizeBytes', message }]);
}

/** Counts the bytes when the upload is announced: nothing tells how many a presigned URL has received. */
async function countAnnounced(
  { ledger, limits, clock }: CreateUploadDeps,
  principal: Principal,
  upload: Omit<AnnouncedUpload, 'now'>,
): Promise<void> {
  const now = clock.now();
  const value = lowerLimit(limits, principal, 'maxUploadBytesPerDay');
  const { added, bytes } = await ledger.add({ ...upload, now }, value);
  if (added) return;
  const exceeded = { limit: 'maxUploadBytesPerDay', value, use: bytes };
  const message = `This upload of ${upload.sizeBytes} bytes exceeds the limit of ${value} bytes per UTC day`;
  if (upload.sizeBytes > value) throw limitExceeded(exceeded, `${message}: have the limit raised.`);
  const retryAfterSeconds = secondsToNextDay(now);
  throw limitExceeded({ ...exceeded, retryAfterSeconds }, `${message}; ${bytes} are used. Try again tomorrow.`);
}

export type UploadDeps = Pick<CreateUploadDeps, 'uploads'>;

/** Presigns parts again, for example because their URLs have expired. With another size, S3 does not know the upload. */
export function signUploadParts({ uploads }: UploadDeps): RouteApp<typeof signUploadPartsContract> {
  return async ({ params, body: { partNumbers }, principal }) => {
    const { key, s3UploadId, sizeBytes } = requireUpload(params.id, principal);
    const parts = selectParts(sizeBytes, partNumbers);
    const { partUrls, expiresAt } = await uploads.signParts({ key, s3UploadId, parts });
    return { status: 200, body: { partUrls, expiresAt: expiresAt.toISOString() } };
  };
}

function selectParts(sizeBytes: number, partNumbers: readonly number[]): UploadPart[] {
  const parts = partsOf(sizeBytes);
  return partNumbers.map((partNumber, index) => {
    const part = parts[partNumber - 1];
    if (part !== undefined) return part;
    const message = `must be at most ${parts.length}, the number of parts of this upload`;
    throw invalidRequest([{ path: `partNumbers.${index}`, message }]);
  });
}

/** Lists the parts of a multipart upload that have arrived. */
export function listUploadParts({ uploads }: UploadDeps): RouteApp<typeof listUploadPartsContract> {
  return async ({ params, principal }) => {
    const { key, s3UploadId, sizeBytes } = requireUpload(params.id, principal);
    const parts = await uploads.listParts({ key, s3UploadId });
    return { status: 200, body: { parts, partSizeBytes: choosePartSizeBytes(sizeBytes) } };
  };
}

export function completeUpload({ uploads }: UploadDeps): RouteApp<typeof completeUploadContract> {
  return async ({ params, body: { parts }, principal }) => {
    const { key, s3UploadId, objectId } = requireUpload(params.id, principal);
    await uploads.completeMultipartUpload({ key, s3UploadId, parts });
    return { status: 200, body: { inputUrl: uploadInputUrl(objectId) } };
  };
}

export function abortUpload({ uploads }: UploadDeps): RouteApp<typeof abortUploadContract> {
  return async ({ params, principal }) => {
    const { key, s3UploadId } = requireUpload(params.id, principal);
    await uploads.abortMultipartUpload({ key, s3UploadId });
    return { status: 204 };
  };
}

/** The upload of an `uploadId`, under its caller's key. */
function requireUpload(uploadId: string, { ownerId }: Principal) {
  const upload = parseUploadId(uploadId);
  if (upload === undefined) throw new AppError('NOT_FOUND', 'There is no such upload.');
  return { ...upload, key: uploadKey(ownerId, upload.objectId) };
}
