import { chunkSource } from '@media-jobs/video/testing';
import { aChunkedStage, type ChunkedStage } from './a-chunked-stage.ts';
import { type ChunkedJob, fastJob } from './chunked-job.ts';

/** The format of the outputs: ffmpeg joins Matroska, and S3 assembles MP4 and the renditions of a stream. */
export type JoinedFormat = 'mkv' | 'mp4' | 'm3u8';

const encoding = { preset: 'ultrafast', crf: 28 } as const;

/** A stage with a delegated job whose three chunks are not encoded yet. Except in MP4 the audio is a task of its own. */
export async function waitingChunks({
  format = 'mkv',
}: {
  format?: JoinedFormat;
} = {}): Promise<{ stage: ChunkedStage; work: ChunkedJob }> {
  const stage = await aChunkedStage();
  const work = await fastJob(stage, {
    source: await chunkSource('openGop'),
    format,
    recipe: format === 'm3u8' ? { name: 'hls', segmentSeconds: 2, ...encoding } : { name: 'compress', ...encoding },
  });
  return { stage, work };
}
