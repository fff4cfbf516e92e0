import { formats } from '@media-jobs/video/media';
import { decodePercent } from '../net/content-disposition.ts';
import { parseUploadUrl, uploadDays, uploadKey } from '../uploads/upload.ts';
import { fileUrl } from './file-url.ts';
import { jobCreatedAt } from './job-id.ts';
import type { FileLinks } from './ports.ts';
import type { Job } from './record.ts';

/** The input in the URLs of its job. Every file of an output has an extension, so none has this address. */
export const inputAddress = { output: 'input', file: 'original' };

/** A job as the URL of its input is signed. Attempts count from 1, so no URL of an output opens the input. */
export function inputSigner<J extends Job>(job: J): J {
  return { ...job, attempt: 0 };
}

/** The upload that is the one input of a job, until it expires. */
export function keptInput({ ownerId, request: { input } }: Job, now: Date) {
  const upload = parseUploadUrl(input?.url ?? '');
  if (upload === undefined) return undefined;
  const endsAt = jobCreatedAt(upload.objectId).getTime() + uploadDays * 86_400_000;
  if (now.getTime() >= endsAt) return undefined;
  const filename = decodePercent(input?.url?.split('/').at(-1) ?? '') || inputAddress.file;
  const extension = filename.split('.').at(-1)?.toLowerCase() ?? '';
  const mime_type = Object.entries(formats).find(([name]) => name === extension)?.[1].mimeType;
  return {
    key: uploadKey(ownerId, upload.objectId),
    file: { filename, mime_type: mime_type ?? 'application/octet-stream' },
    endsAt,
  };
}

/** A signed URL of the input of a job; undefined for one that the service does not have. */
export function inputLink(job: Job, { publicUrl, fileUrlSeconds }: FileLinks, now: Date) {
  const kept = keptInput(job, now);
  if (kept === undefined) return undefined;
  const endMs = Math.min(now.getTime() + fileUrlSeconds * 1000, kept.endsAt);
  const expiresAt = new Date(Math.floor(endMs / 1000) * 1000);
  const signedUrl = fileUrl({ publicUrl, job: inputSigner(job), ...inputAddress, scope: 'file', expiresAt });
  return { signedUrl, expiresAt: expiresAt.toISOString() };
}
