import { JobError } from '@media-jobs/video/errors';
import type { Clock } from '../jobs/ports.ts';
import { abortAt, type WorkerContext } from '../worker/worker-context.ts';

/** Milliseconds that an upload to a storage provider may take, of those that are left until the worker's deadline. */
export type UploadLimit = (totalBytes: number, leftMs: number) => number;

/**
 * Uploads under a signal that aborts when the time of the upload is over, too.
 * @throws JobError `UPLOAD_ERROR` after that time
 */
export async function uploadInTime<Result>(
  { clock }: { clock: Clock },
  context: WorkerContext,
  {
    totalBytes,
    limit,
    upload,
  }: { totalBytes: number; limit: UploadLimit | undefined; upload: (context: WorkerContext) => Promise<Result> },
): Promise<Result> {
  if (limit === undefined) return upload(context);
  const now = clock.now().getTime();
  const maxMs = Math.max(0, limit(totalBytes, context.deadline.getTime() - now));
  const ended = new AbortController();
  const time = new Date(now + maxMs);
  const expired = abortAt(clock, { time, reason: tooSlow(totalBytes, maxMs), cancelled: ended.signal });
  try {
    return await upload({ ...context, signal: AbortSignal.any([context.signal, expired]) });
  } finally {
    ended.abort();
  }
}

function tooSlow(totalBytes: number, maxMs: number): JobError {
  const message =
    `The storage provider is too slow: it did not take ${totalBytes} bytes within ${Math.round(maxMs / 1000)} seconds. ` +
    'Check the provider, then retry the job: that uploads the encoded files';
  return new JobError('UPLOAD_ERROR', message);
}
