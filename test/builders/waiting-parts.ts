import { aPartsStage, clipUrl, type PartsStage } from './a-parts-stage.ts';
import { chunkSource } from './chunk-sources.ts';
import { handedOver, type InParts } from './in-parts.ts';

/** A stage with a job whose three chunks and sound wait to be encoded. */
export async function waitingParts(): Promise<{ stage: PartsStage; work: InParts }> {
  const stage = await aPartsStage();
  const work = await handedOver(stage, {
    mode: 'recipe',
    input: { url: clipUrl(await chunkSource('openGop')) },
    output: { format: 'mp4' },
    recipe: { name: 'compress', preset: 'ultrafast' },
    speed: 'fast',
  });
  return { stage, work };
}
