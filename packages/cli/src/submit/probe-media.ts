import type { OperationRequest } from '@media-jobs/client';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { mainVideo } from '@media-jobs/video/probe';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import type { Environment } from '../environment.ts';
import type { LocalFile } from '../transfer/upload-from-disk.ts';

type Media = NonNullable<OperationRequest<'estimateJob'>['body']['media']>;

/**
 * What an estimate needs to know of a file. A file without video has a frame of one pixel.
 *
 * @throws FfmpegMissingError; JobError for a file that is no media
 */
export async function probeMedia({ path, sizeBytes }: LocalFile, environment: Environment): Promise<Media> {
  const { ffmpeg: ffmpegPath, ffprobe: ffprobePath } = findFfmpeg(environment);
  const probe = await ffmpegEncoder({ ffmpegPath, ffprobePath }).probe(path);
  const { width, height, framesPerSecond, codec, hdrTransfer } = mainVideo(probe) ?? { width: 1, height: 1 };
  return {
    ...{ width, height, sizeBytes, hasAudio: probe.streams.some(({ kind }) => kind === 'audio') },
    ...(probe.durationSeconds && { durationSeconds: probe.durationSeconds }),
    ...(framesPerSecond && { framesPerSecond }),
    ...(codec && { codec }),
    ...(hdrTransfer && { hdr: true }),
  };
}
