import { checkCommand } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import type { Encoder, RunOptions } from '@media-jobs/video/ffmpeg';
import { mapConcurrent } from '../../core/async.ts';

/** Each decodes two seconds. */
const maxConcurrentChecks = 2;

/**
 * Decodes the start and the end of each encoded file of a chunk, which the join puts together without decoding them.
 * @throws JobError `TRANSCODE_ERROR`, which may be retried: another function may write the file undamaged
 */
export async function checkEnds(media: Encoder, paths: readonly string[], options: RunOptions): Promise<void> {
  await mapConcurrent(paths, maxConcurrentChecks, async (path) => {
    await media.run(checkCommand(path), options).catch((cause: unknown) => {
      if (!(cause instanceof JobError) || cause.code !== 'TRANSCODE_ERROR') throw cause;
      const message = `Its start or its end cannot be decoded: ${cause.message}`;
      throw new JobError('TRANSCODE_ERROR', message, { retryable: true, cause });
    });
  });
}
