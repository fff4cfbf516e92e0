import { checkCommand } from '../../core/chunking/commands/check-command.ts';
import { JobError } from '../../core/job-error.ts';
import type { RunOptions } from '../../core/media/ffmpeg/ports.ts';
import { mapConcurrent } from '../async/map-concurrent.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';

/** Each decodes two seconds. */
const maxConcurrentChecks = 2;

/**
 * Decodes the start and the end of each encoded file of a chunk, which the join puts together without decoding them.
 * @throws JobError `TRANSCODE_ERROR`, which may be retried: another function may write the file undamaged
 */
export async function checkEnds(
  { encoder }: Pick<WorkerDeps, 'encoder'>,
  paths: readonly string[],
  options: RunOptions,
): Promise<void> {
  await mapConcurrent(paths, maxConcurrentChecks, async (path) => {
    await encoder.run(checkCommand(path), options).catch((cause: unknown) => {
      if (!(cause instanceof JobError) || cause.code !== 'TRANSCODE_ERROR') throw cause;
      const message = `Its start or its end cannot be decoded: ${cause.message}`;
      throw new JobError('TRANSCODE_ERROR', message, { retryable: true, cause });
    });
  });
}
