import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';

/**
 * The query of a URL that opens files of a job. Its names have one letter, so that the URL fits where the length is limited.
 * A changed value is a wrong signature, so no value has a format that an error would name.
 */
export const fileUrlQuerySchema = z.strictObject({
  o: z.string().max(200).describe("The job's owner."),
  e: z.string().max(200).describe('When the URL ends: seconds since 1970 in base 36.'),
  s: z.string().max(200).describe('The signature.'),
});

export type FileUrlQuery = z.infer<typeof fileUrlQuerySchema>;

/** What the URLs of a job are signed with. `urlSecret` belongs to this job and never leaves the service. */
type SignedJob = { ownerId: string; jobId: string; attempt: number; urlSecret: string };

export type FileAddress = { output: string; file: string };

/** A URL for a viewer: it ends when the playback of the job is revoked, at a time that the URL knows. */
export type PlaybackMark = { revokedAt?: string | undefined };

export type UrlScope = 'file' | 'output';

type FileUrl = FileAddress & {
  publicUrl: string;
  job: SignedJob;
  scope: UrlScope;
  /** In whole seconds. */
  expiresAt: Date;
  /** Undefined for a download. */
  playback?: PlaybackMark;
};

/** The URL of a file of a job at this API. The URL is the credential. */
export function fileUrl({ publicUrl, job, output, file, scope, expiresAt, playback }: FileUrl): string {
  const expires = (expiresAt.getTime() / 1000).toString(36);
  const signature = signatureOf(job, { output, file }, { scope, expires, playback });
  const search = fileUrlSearch({ o: job.ownerId, e: expires, s: signature });
  return `${publicUrl}/api/v1/jobs/${job.jobId}/files/${output}/${file}${search}`;
}

/** The query as text, with the question mark. */
export function fileUrlSearch({ o, e, s }: FileUrlQuery): string {
  return `?${new URLSearchParams({ o, e, s })}`;
}

/** Whether a URL was signed for this file of the job, or for all files of its output, and has not ended. */
export function isValidFileUrl(
  query: FileUrlQuery,
  { job, address, now, playback }: { job: SignedJob; address: FileAddress; now: Date; playback?: PlaybackMark },
): boolean {
  const isSigned = (['file', 'output'] as const).some((scope) =>
    isEqual(query.s, signatureOf(job, address, { scope, expires: query.e, playback })),
  );
  return isSigned && now.getTime() < Number.parseInt(query.e, 36) * 1000;
}

/** Compared as text: the last character of 22 has four unused bits, so 16 texts decode to the same bytes. */
function isEqual(signature: string, expected: string): boolean {
  const [found, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

/** 128 bits, more than anyone can guess against the API (RFC 2104, section 5: a truncated HMAC). */
const signatureBytes = 16;

function signatureOf(
  { ownerId, jobId, attempt, urlSecret }: SignedJob,
  { output, file }: FileAddress,
  { scope, expires, playback }: { scope: UrlScope; expires: string; playback: PlaybackMark | undefined },
): string {
  // No file has an empty name, so the signature of an output is that of no file.
  const signed = [ownerId, jobId, attempt, expires, output, scope === 'file' ? file : ''];
  if (playback !== undefined) signed.push('playback', playback.revokedAt ?? '');
  return createHmac('sha256', urlSecret)
    .update(JSON.stringify(signed))
    .digest()
    .subarray(0, signatureBytes)
    .toString('base64url');
}
