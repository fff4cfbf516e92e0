import * as z from 'zod';
import { extractFrame } from '../../../encoding/image/extract-frame.ts';
import { JobError } from '../../../errors.ts';
import { maxSidePixels } from '../../../media/frame-size.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe } from '../../recipe.ts';

/** Each image is a signed URL in every response about the job. */
const maxImages = 100;

export const thumbnails = defineRecipe({
  name: 'thumbnails',
  title: 'Thumbnails',
  description: `Frames of a video at a fixed interval, the first at 0 s; at most ${maxImages}. The outputs are called thumbnail-001 and so on.`,
  formats: ['jpg', 'png', 'webp'],
  comparison: 'none',
  parameters: z.strictObject({
    every: z.number().min(0.1).max(3600).default(10).meta({
      description: 'Seconds between two frames.',
    }),
    width: z.int().min(16).max(maxSidePixels).optional().meta({
      description: 'Width in pixels; the height follows. Default: the width of the video.',
    }),
  }),
  example: { output: { format: 'jpg' }, recipe: { name: 'thumbnails', every: 5, width: 320 } },
  plan(input) {
    const { every, width } = input.parameters;
    const endSeconds = endSecondsOf(input.probe, [requireVideo(input.probe)]) ?? 0;
    const count = Math.max(1, Math.ceil(endSeconds / every));
    if (count > maxImages) {
      const minEvery = Math.ceil(endSeconds / maxImages);
      const message = `A frame every ${every} s makes ${count} images; the limit is ${maxImages}. Use ${minEvery} s or more`;
      throw new JobError('INPUT_UNSUPPORTED', message);
    }
    // One seek per frame: decoding the whole video for a hundred frames takes far longer.
    const frames = Array.from({ length: count }, (_, index) =>
      extractFrame(input, { name: thumbnailName(index), at: index * every, width }),
    );
    return { commands: frames.map(({ command }) => command), outputs: frames.map(({ output }) => output) };
  },
});

function thumbnailName(index: number): string {
  return `thumbnail-${String(index + 1).padStart(3, '0')}`;
}
