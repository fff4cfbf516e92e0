import { aChunkedStage, type ChunkedStage } from './a-chunked-stage.ts';
import { chunkSource } from './chunk-sources.ts';
import { type ChunkedJob, fastJob } from './chunked-job.ts';

/** The container of an output: ffmpeg joins Matroska, and S3 assembles MP4. */
export type JoinedFormat = 'mkv' | 'mp4';

/** A stage with a delegated job whose three chunks are not encoded yet. In Matroska the audio is a task of its own. */
export async function waitingChunks({ format = 'mkv' }: { format?: JoinedFormat } = {}): Promise<{
  stage: ChunkedStage;
  work: ChunkedJob;
}> {
  const stage = await aChunkedStage();
  const work = await fastJob(stage, {
    source: await chunkSource('openGop'),
    format,
    recipe: { name: 'compress', preset: 'ultrafast', crf: 28 },
  });
  return { stage, work };
}
