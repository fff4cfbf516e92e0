import * as z from 'zod';
import { extractFrame } from '../../../encoding/image/extract-frame.ts';
import { JobError } from '../../../errors.ts';
import { maxSidePixels } from '../../../media/frame-size.ts';
import { endSecondsOf, requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe } from '../../recipe.ts';

/** Each picture is a signed URL in every answer about the job. */
const mostPictures = 100;

export const thumbnails = defineRecipe({
  name: 'thumbnails',
  title: 'Thumbnails',
  description: `A picture every so many seconds, the first at 0 s; at most ${mostPictures}. The outputs are called thumbnail-001 and so on.`,
  formats: ['jpg', 'png', 'webp'],
  comparison: 'none',
  parameters: z.strictObject({
    every: z.number().min(0.1).max(3600).default(10).meta({
      description: 'Seconds from one picture to the next.',
    }),
    width: z.int().min(16).max(maxSidePixels).optional().meta({
      description: "Width in pixels; the height follows. Where left out, the video's own.",
    }),
  }),
  example: { output: { format: 'jpg' }, recipe: { name: 'thumbnails', every: 5, width: 320 } },
  plan(input) {
    const { every, width } = input.parameters;
    const endSeconds = endSecondsOf(input.probe, [requireVideo(input.probe)]) ?? 0;
    const count = Math.max(1, Math.ceil(endSeconds / every));
    if (count > mostPictures) {
      const least = Math.ceil(endSeconds / mostPictures);
      const message = `A picture every ${every} s makes ${count}, and the limit is ${mostPictures}; use ${least} s or more`;
      throw new JobError('INPUT_UNSUPPORTED', message);
    }
    // A seek for each picture: decoding a film from end to end for a hundred of its frames takes far longer.
    const shots = Array.from({ length: count }, (_, index) =>
      extractFrame(input, { name: nameOf(index), at: index * every, width }),
    );
    return { commands: shots.map(({ command }) => command), outputs: shots.map(({ output }) => output) };
  },
});

function nameOf(index: number): string {
  return `thumbnail-${String(index + 1).padStart(3, '0')}`;
}
