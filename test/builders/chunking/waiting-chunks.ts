import { aChunkedStage, type ChunkedStage, clipUrl } from './a-chunked-stage.ts';
import { chunkSource } from './chunk-sources.ts';
import { type ChunkedJob, delegatedJob } from './chunked-job.ts';

/** A stage with a delegated job whose three chunks and audio are not encoded yet. */
export async function waitingChunks(): Promise<{ stage: ChunkedStage; work: ChunkedJob }> {
  const stage = await aChunkedStage();
  const work = await delegatedJob(stage, {
    mode: 'recipe',
    input: { url: clipUrl(await chunkSource('openGop')) },
    output: { format: 'mp4' },
    recipe: { name: 'compress', preset: 'ultrafast', crf: 28 },
    speed: 'fast',
  });
  return { stage, work };
}
