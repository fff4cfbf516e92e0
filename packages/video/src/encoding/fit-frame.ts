import * as z from 'zod';
import { type FrameTransform, gravities } from '../media/filters/video-filters.ts';
import { evenSize, fitAround, fitInside, maxSidePixels, roundToEven, type Size } from '../media/frame-size.ts';
import { integer } from '../values.ts';

const side = () => integer(16, maxSidePixels).multipleOf(2).optional();

/** Parameters of a recipe that changes the frame size. */
export const fitParameters = () =>
  z.strictObject({
    width: side().meta({ description: 'Width in pixels, even. Default: follows from the height.' }),
    height: side().meta({ description: 'Height in pixels, even. Default: follows from the width.' }),
    fit: z.enum(['contain', 'cover', 'pad']).default('contain').meta({
      description:
        'How a different aspect ratio is handled: contain fits inside width and height, cover fills both and crops the rest, pad fits inside and adds black bars. cover and pad need both.',
    }),
    gravity: z
      .enum(gravities)
      .optional()
      .meta({ description: 'What cover keeps of a frame that it crops, such as the top. Default: center.' }),
  });

export type FitParameters = z.output<ReturnType<typeof fitParameters>>;

export function hasRequiredSides({ width, height, fit }: FitParameters): boolean {
  return fit === 'contain' || (width !== undefined && height !== undefined);
}

export const missingSides = { path: ['fit'], message: 'cover and pad need a width and a height' };

/** The transform from the source size to the requested one, of which one side may be missing. */
export function fitFrame(source: Size, { width, height, fit, gravity }: FitParameters): FrameTransform {
  if (fit === 'contain' || width === undefined || height === undefined) {
    return { scale: evenSize(fitInside(source, { width, height })) };
  }
  const target = { width, height };
  if (fit === 'pad') return { scale: evenSize(fitInside(source, target)), pad: target };
  const around = fitAround(source, target);
  const scale = {
    width: Math.max(width, roundToEven(around.width)),
    height: Math.max(height, roundToEven(around.height)),
  };
  return { scale, crop: { ...target, gravity } };
}
