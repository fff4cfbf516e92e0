import { fitFrame, fitParameters, hasRequiredSides, missingSides } from '../../../encoding/fit-frame.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { transformedSize } from '../../../media/filters/video-filters.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const parameters = () =>
  fitParameters()
    .refine(({ width, height }) => width !== undefined || height !== undefined, {
      path: ['width'],
      message: 'Must have width, height or both',
    })
    .refine(hasRequiredSides, missingSides);

export const resize = defineRecipe({
  name: 'resize',
  title: 'Resize',
  description:
    'Changes the size of a video, smaller or larger. The aspect ratio is kept, or the frame is cropped with `cover`: 1080x1920 is the vertical 9:16 of Reels, Shorts and TikTok.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'resize', width: 1280, height: 720, fit: 'pad' } },
});

export function planResize(input: RecipeInput<typeof resize>): Plan | PendingPlan {
  const video = requireVideo(input.probe);
  const transform = fitFrame(video, input.parameters);
  const size = transformedSize(transform);
  return encodeVideo(input, { ...defaultEncodingFor(input, { size }), transform });
}
