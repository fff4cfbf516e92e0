import { type Format, formats } from '@media-jobs/video/media';
import { decodePercent } from '../net/response.ts';
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

/** The upload that is the one input of a job, also one that has expired. */
export function uploadedInput({ ownerId, request: { input: { url = '' } = {} } }: Job) {
  const upload = parseUploadUrl(url);
  if (upload === undefined) return undefined;
  const filename = decodePercent(url.split('/').at(-1) ?? '') || inputAddress.file;
  const extension = filename.split('.').at(-1)?.toLowerCase() ?? '';
  const { mimeType = 'application/octet-stream' } = extension in formats ? formats[extension as Format] : {};
  return { ...upload, key: uploadKey(ownerId, upload.objectId), file: { filename, mime_type: mimeType } };
}

/** A signed URL of the input of a job, valid no longer than the upload; undefined for one that the service does not have. */
export function inputLink(job: Job, { publicUrl, fileUrlSeconds }: FileLinks, now: Date) {
  const upload = uploadedInput(job);
  if (upload === undefined) return undefined;
  const uploadEnd = jobCreatedAt(upload.objectId).getTime() + uploadDays * 86_400_000;
  if (now.getTime() >= uploadEnd) return undefined;
  const endMs = Math.min(now.getTime() + fileUrlSeconds * 1000, uploadEnd);
  const expiresAt = new Date(Math.floor(endMs / 1000) * 1000);
  const signedUrl = fileUrl({ publicUrl, job: inputSigner(job), ...inputAddress, scope: 'file', expiresAt });
  return { signedUrl, expiresAt: expiresAt.toISOString() };
}
