import * as z from 'zod';
import { even, evenSize, fitAround, fitInside, longestSide, type Size } from '../media/size.ts';
import { requireMovingPicture } from '../media/streams.ts';
import type { PictureChange } from '../media/video-filters.ts';
import { encodeVideo } from './encode-video.ts';
import { ordinary } from './ordinary-encoding.ts';
import { defineRecipe } from './recipe.ts';

const side = z.int().min(16).max(longestSide).multipleOf(2).optional();

const parameters = z
  .strictObject({
    width: side.meta({ description: 'Width in pixels, even. Where left out it follows from the height.' }),
    height: side.meta({ description: 'Height in pixels, even. Where left out it follows from the width.' }),
    fit: z.enum(['contain', 'cover', 'pad']).default('contain').meta({
      description:
        'Where the shape differs: contain fits inside width and height, cover fills both and cuts off the rest, pad fits inside and adds black bars. cover and pad need both.',
    }),
  })
  .refine(({ width, height }) => width !== undefined || height !== undefined, {
    path: ['width'],
    message: 'Give a width, a height or both',
  })
  .refine(({ width, height, fit }) => fit === 'contain' || (width !== undefined && height !== undefined), {
    path: ['fit'],
    message: 'cover and pad need a width and a height',
  });

export const resize = defineRecipe({
  name: 'resize',
  title: 'Resize',
  description: 'Gives a video another size, smaller or larger, and keeps its shape.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'resize', width: 1280, height: 720, fit: 'pad' } },
  plan(input) {
    const video = requireMovingPicture(input.probe);
    return encodeVideo(input, { ...ordinary(input.format), picture: pictureChange(video, input.parameters) });
  },
});

function pictureChange(source: Size, { width, height, fit }: z.output<typeof parameters>): PictureChange {
  if (fit === 'contain' || width === undefined || height === undefined) {
    return { scale: evenSize(fitInside(source, { width, height })) };
  }
  const target = { width, height };
  if (fit === 'pad') return { scale: evenSize(fitInside(source, target)), pad: target };
  const around = fitAround(source, target);
  const scale = { width: Math.max(width, even(around.width)), height: Math.max(height, even(around.height)) };
  return { scale, crop: target };
}
