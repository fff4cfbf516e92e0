import { requireMovingPicture } from '../media/streams.ts';
import { encodeVideo } from './encode-video.ts';
import { fitPicture, fittingParameters, hasSidesOfFit, sidesOfFit } from './fitting.ts';
import { ordinaryFor } from './ordinary-encoding.ts';
import { defineRecipe } from './recipe.ts';

const parameters = fittingParameters
  .refine(({ width, height }) => width !== undefined || height !== undefined, {
    path: ['width'],
    message: 'Give a width, a height or both',
  })
  .refine(hasSidesOfFit, sidesOfFit);

export const resize = defineRecipe({
  name: 'resize',
  title: 'Resize',
  description: 'Gives a video another size, smaller or larger, and keeps its shape.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'resize', width: 1280, height: 720, fit: 'pad' } },
  plan(input) {
    const video = requireMovingPicture(input.probe);
    return encodeVideo(input, { ...ordinaryFor(input), picture: fitPicture(video, input.parameters) });
  },
});
