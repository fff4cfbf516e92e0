import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { isOfSet, setNames } from '../media/playlists/set-files.ts';

const changedUrlMessage = 'Must be unchanged from the URL of the file: GET the job again for a new URL';

/** The query of a URL of this API that opens files of a job. Strict: the signature covers all of it. */
export const fileUrlQuerySchema = z.strictObject({
  owner: z.string().regex(/^[\w-]{1,100}$/, changedUrlMessage),
  expires: z
    .string()
    .regex(/^\d{10}$/, 'Must be 10 digits: seconds since 1970')
    .meta({ description: 'When the URL ends, in seconds since 1970.' }),
  set: z
    .enum(setNames)
    .optional()
    .meta({ description: 'The signature covers all files of this set, else the one file of the path.' }),
  signature: z.string().regex(/^[\w-]{43}$/, changedUrlMessage),
});

export type FileUrlQuery = z.infer<typeof fileUrlQuerySchema>;

/** What the URLs of a job are signed with. `urlSecret` belongs to this job and never leaves the service. */
type SignedJob = { ownerId: string; jobId: string; urlSecret: string };

type FileUrl = {
  publicUrl: string;
  job: SignedJob;
  /** The name of the file. */
  file: string;
  /** The set that the URL opens. Without it the URL opens the file alone. */
  set?: FileUrlQuery['set'];
  lifetimeSeconds: number;
  now: Date;
};

/** The URL of a file of a job at this API. The URL is the credential. */
export function fileUrl({ publicUrl, job, file, set, lifetimeSeconds, now }: FileUrl) {
  const expires = Math.floor(now.getTime() / 1000) + lifetimeSeconds;
  const signed = { owner: job.ownerId, expires: String(expires), ...(set && { set }) };
  const query = { ...signed, signature: signatureOf(job, file, signed) };
  return {
    url: `${publicUrl}/api/v1/jobs/${job.jobId}/files/${file}${fileUrlSearch(query)}`,
    expiresAt: new Date(expires * 1000),
  };
}

/** The query as text, with the question mark. */
export function fileUrlSearch(query: FileUrlQuery): string {
  return `?${new URLSearchParams(query)}`;
}

/** The seconds that a URL has left; undefined if it has ended or was not signed for this job and file. */
export function urlSecondsLeft(
  query: FileUrlQuery,
  { job, file, now }: { job: SignedJob; file: string; now: Date },
): number | undefined {
  if (query.set !== undefined && !isOfSet(file, query.set)) return undefined;
  // Compared as text: the last character of 43 has two unused bits, so four texts decode to the same 32 bytes.
  const expected = signatureOf(job, file, query);
  if (!timingSafeEqual(Buffer.from(query.signature), Buffer.from(expected))) return undefined;
  const seconds = Number(query.expires) - Math.floor(now.getTime() / 1000);
  return seconds > 0 ? seconds : undefined;
}

function signatureOf(
  { ownerId, jobId, urlSecret }: SignedJob,
  file: string,
  { expires, set }: Pick<FileUrlQuery, 'expires' | 'set'>,
): string {
  // The signed values have different keys, so the signature of a file is not valid for a set.
  const scope = set === undefined ? { file } : { set };
  return createHmac('sha256', urlSecret)
    .update(JSON.stringify([ownerId, jobId, expires, scope]))
    .digest('base64url');
}
