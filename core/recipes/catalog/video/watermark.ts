import * as z from 'zod';
import { type Overlay, overlayPositions } from '../../../encoding/overlay.ts';
import type { MediaFile } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { JobError } from '../../../errors.ts';
import { evenSize, roundedSize, type Size } from '../../../media/frame-size.ts';
import { requireVideo, requireVideoStream } from '../../../media/probe/streams.ts';
import { assetUrl } from '../../parameters/common-parameters.ts';
import { defineRecipe } from '../../recipe.ts';

const parameters = z.strictObject({
  image: assetUrl('The picture: PNG or WebP, with or without transparency, or JPEG.'),
  position: z.enum(overlayPositions).default('bottom-right').meta({ description: 'Where it lies.' }),
  opacity: z.number().min(0.05).max(1).default(1).meta({
    description: 'How much of what is below it hides, where it is not transparent itself: 1 is all.',
  }),
  scale: z.number().min(0.01).max(1).default(0.15).meta({
    description:
      "Its width as a share of the video's. It becomes smaller than that where it would not fit between the margins.",
  }),
  margin: z.number().min(0).max(0.4).default(0.03).meta({
    description: "Distance from the edges that it lies at, as a share of the video's shorter side.",
  }),
});

export const watermark = defineRecipe({
  name: 'watermark',
  title: 'Watermark',
  description: 'Lays a picture, such as a logo, over a video from its beginning to its end.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'same-time',
  parameters,
  example: {
    output: { format: 'mp4' },
    recipe: { name: 'watermark', image: 'https://example.com/logo.png', position: 'top-right', opacity: 0.8 },
  },
  assets: ({ image }) => [{ name: 'image', url: image, kind: 'media' }],
  plan(input) {
    const size = evenSize(requireVideo(input.probe));
    const overlay = { ...stillPicture(input.assets.image), ...placed(size, input.parameters) };
    return encodeVideo(input, { ...defaultEncodingFor(input), transform: { scale: size }, overlay });
  },
});

function stillPicture(file: MediaFile | undefined): Pick<Overlay, 'path' | 'streamIndex'> {
  if (file === undefined) throw new TypeError('A watermark is planned with its picture');
  const { path, probe } = file;
  if (probe.durationSeconds === undefined) return { path, streamIndex: requireVideoStream(probe).index };
  const message = 'image: The watermark has to be a still picture: PNG, JPEG or WebP';
  throw new JobError('INPUT_UNSUPPORTED', message);
}

type Placing = Omit<z.output<typeof parameters>, 'image'>;

function placed({ width, height }: Size, { scale, margin: share, position, opacity }: Placing) {
  const marginPixels = Math.round(share * Math.min(width, height));
  const maxSize = {
    width: Math.min(scale * width, width - 2 * marginPixels),
    height: height - 2 * marginPixels,
  };
  return { maxSize: roundedSize(maxSize), marginPixels, position, opacity };
}
