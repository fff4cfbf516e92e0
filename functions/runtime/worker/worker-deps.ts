import { tmpdir } from 'node:os';
import { jobLogs } from '../../../adapters/dynamodb/job-logs.ts';
import { ffmpegEncoder } from '../../../adapters/ffmpeg/encoder.ts';
import { packetReader } from '../../../adapters/ffmpeg/packet-reader.ts';
import { openWorkspace, removeWorkspaces } from '../../../adapters/filesystem/workspace.ts';
import { mediaFiles } from '../../../adapters/s3/media-files.ts';
import { workFiles } from '../../../adapters/s3/work-files.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { maxDecodedPixels } from '../../../core/media/probe/input-limits.ts';
import { dynamo } from '../clients/dynamo.ts';
import { s3Client } from '../clients/s3.ts';
import { newId } from '../random.ts';
import type { WorkerEnv } from './worker-env.ts';

/** Kept at the end of the function's life for the last write, and for removing what a failed job left. */
export const shutdownReserveMs = 30_000;

/** What every function needs that works on media with ffmpeg. */
export function workerDeps(env: WorkerEnv) {
  const programs = {
    ffmpegPath: env.FFMPEG_PATH,
    ffprobePath: env.FFPROBE_PATH,
    bounds: { maxPixels: maxDecodedPixels(env.INPUT_LIMITS) },
    ...(env.FFMPEG_LIBRARY_PATH === undefined ? {} : { libraryPath: env.FFMPEG_LIBRARY_PATH }),
  };
  const media = { client: s3Client(env.AWS_ENDPOINT_URL_S3), bucket: env.MEDIA_BUCKET };
  return {
    media,
    encoder: ffmpegEncoder(programs),
    packetReader: packetReader(programs),
    files: mediaFiles(media.client, media.bucket),
    workFiles: workFiles(media.client, media.bucket),
    logs: jobLogs(dynamo, env.TABLE_NAME),
    clock: systemClock,
    newId,
    openWorkspace: async () => {
      // A worker has one job at a time: whatever lies there is a dead one's, and the disk holds one input only.
      await removeWorkspaces(tmpdir());
      return openWorkspace(tmpdir());
    },
    stallSeconds: env.STALL_TIMEOUT_SECONDS,
    retentionMs: env.OUTPUT_RETENTION_DAYS * 24 * 3_600_000,
  };
}
