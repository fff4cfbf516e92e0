import * as z from 'zod';
import { type Overlay, overlayPositions } from '../../../encoding/overlay.ts';
import type { MediaFile, PendingPlan, Plan } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { rejectInput } from '../../../errors.ts';
import { evenSize, roundedSize, type Size } from '../../../media/frame-size.ts';
import { requireVideo, requireVideoStream } from '../../../media/probe/streams.ts';
import { number } from '../../../values.ts';
import { assetUrl } from '../../parameters/common-parameters.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

const parameters = () =>
  z.strictObject({
    image: assetUrl('The image: PNG or WebP, with or without transparency, or JPEG.'),
    position: z.enum(overlayPositions).default('bottom-right').meta({ description: 'Position of the image.' }),
    opacity: number(0.05, 1).default(1).meta({ description: 'Opacity of the image; 1 is opaque.' }),
    scale: number(0.01, 1).default(0.15).meta({
      description:
        "Width as a share of the video's width. The image becomes smaller if it does not fit between the margins.",
    }),
    margin: number(0, 0.4)
      .default(0.03)
      .meta({ description: "Distance to the edges, as a share of the video's shorter side." }),
  });

export const watermark = defineRecipe({
  name: 'watermark',
  title: 'Watermark',
  description: 'Draws an image, such as a logo, over every frame of a video.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters,
  example: {
    output: { format: 'mp4' },
    recipe: { name: 'watermark', image: 'https://example.com/logo.png', position: 'top-right', opacity: 0.8 },
  },
  assets: ({ image }) => [{ name: 'image', url: image, kind: 'media' }],
});

export function planWatermark(input: RecipeInput<typeof watermark>): Plan | PendingPlan {
  const size = evenSize(requireVideo(input.probe));
  const overlay = { ...overlayImage(input.assets.image), ...overlayPlacement(size, input.parameters) };
  return encodeVideo(input, { ...defaultEncodingFor(input), transform: { scale: size }, overlay });
}

function overlayImage(file: MediaFile | undefined): Pick<Overlay, 'path' | 'streamIndex' | 'exifOrientation'> {
  if (file === undefined) throw new TypeError('watermark needs its image');
  const { path, probe } = file;
  if (probe.durationSeconds === undefined) {
    const { index: streamIndex, exifOrientation } = requireVideoStream(probe);
    return { path, streamIndex, exifOrientation };
  }
  rejectInput('image: Expected a still image (PNG, JPEG or WebP), found a file with a duration');
}

type Placement = Omit<z.output<ReturnType<typeof parameters>>, 'image'>;

function overlayPlacement({ width, height }: Size, { scale, margin: share, position, opacity }: Placement) {
  const marginPixels = Math.round(share * Math.min(width, height));
  const maxSize = { width: Math.min(scale * width, width - 2 * marginPixels), height: height - 2 * marginPixels };
  return { maxSize: roundedSize(maxSize), marginPixels, position, opacity };
}
