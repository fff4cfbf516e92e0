import * as z from 'zod';
import { even, evenSize, fitAround, fitInside, longestSide, type Size } from '../media/size.ts';
import type { PictureChange } from '../media/video-filters.ts';

const side = z.int().min(16).max(longestSide).multipleOf(2).optional();

/** The parameters of a recipe that gives pictures another size. */
export const fittingParameters = z.strictObject({
  width: side.meta({ description: 'Width in pixels, even. Where left out it follows from the height.' }),
  height: side.meta({ description: 'Height in pixels, even. Where left out it follows from the width.' }),
  fit: z.enum(['contain', 'cover', 'pad']).default('contain').meta({
    description:
      'Where the shape differs: contain fits inside width and height, cover fills both and cuts off the rest, pad fits inside and adds black bars. cover and pad need both.',
  }),
});

export type Fitting = z.output<typeof fittingParameters>;

/** Whether the fit has the sides that it needs. */
export function hasSidesOfFit({ width, height, fit }: Fitting): boolean {
  return fit === 'contain' || (width !== undefined && height !== undefined);
}

/** What is reported where it has not. */
export const sidesOfFit = { path: ['fit'], message: 'cover and pad need a width and a height' };

/** How a source is brought into the size asked for, by one side or both. */
export function fitPicture(source: Size, { width, height, fit }: Fitting): PictureChange {
  if (fit === 'contain' || width === undefined || height === undefined) {
    return { scale: evenSize(fitInside(source, { width, height })) };
  }
  const target = { width, height };
  if (fit === 'pad') return { scale: evenSize(fitInside(source, target)), pad: target };
  const around = fitAround(source, target);
  const scale = { width: Math.max(width, even(around.width)), height: Math.max(height, even(around.height)) };
  return { scale, crop: target };
}
