import { type Filter, type FilterGraph, filter, firstFrames, formatFilter } from '../media/filters/filter.ts';
import { makeUpright } from '../media/filters/video-filters.ts';
import type { Size } from '../media/frame-size.ts';
import type { ExifOrientation } from '../media/probe/exif-orientation.ts';

export const overlayPositions = [
  'top-left',
  'top',
  'top-right',
  'left',
  'center',
  'right',
  'bottom-left',
  'bottom',
  'bottom-right',
] as const;

export type OverlayPosition = (typeof overlayPositions)[number];

/** An image that is drawn over every frame. */
export type Overlay = {
  path: string;
  /** Index of the stream of the file that holds the image. */
  streamIndex: number;
  exifOrientation?: ExifOrientation | undefined;
  /** The image is scaled to fit this size, in pixels. */
  maxSize: Size;
  position: OverlayPosition;
  /** Distance to the edges that the position names. */
  marginPixels: number;
  /** 0 is invisible, 1 opaque. */
  opacity: number;
};

/**
 * A filter graph that draws the second input over a stream of the first between `filters` and `after`. Its output is
 * `[out]`.
 */
export function overlayGraph(
  { index, filters, after = [] }: { index: number; filters: readonly Filter[]; after?: readonly Filter[] },
  { streamIndex, exifOrientation, maxSize, opacity, ...placement }: Overlay,
): FilterGraph {
  const imageFilters = [
    // A file with several images would play as an animation.
    firstFrames(1),
    ...makeUpright(exifOrientation),
    // Premultiplied alpha: without it, invisible pixels would bleed into the visible edges.
    ...[formatFilter('gbrap'), filter('premultiply', 'inplace=1')],
    filter('scale', `${maxSize.width}:${maxSize.height}:force_original_aspect_ratio=decrease`, maxSize),
    filter('unpremultiply', 'inplace=1'),
    ...(opacity === 1 ? [] : [filter('colorchannelmixer', `aa=${opacity}`)]),
  ];
  const { x, y } = overlayCoordinates(placement);
  return [
    { from: [`0:${index}`], filters: [...filters, formatFilter('yuv420p')], to: ['video'] },
    { from: [`1:${streamIndex}`], filters: imageFilters, to: ['image'] },
    { from: ['video', 'image'], filters: [filter('overlay', `x=${x}:y=${y}`), ...after], to: ['out'] },
  ];
}

/** Expressions of the overlay filter: W and H are the size of the video, w and h that of the image. */
function overlayCoordinates({ position, marginPixels }: Pick<Overlay, 'position' | 'marginPixels'>): {
  x: string;
  y: string;
} {
  let [x, y] = ['(W-w)/2', '(H-h)/2'];
  if (position.startsWith('top')) y = `${marginPixels}`;
  if (position.startsWith('bottom')) y = `H-h-${marginPixels}`;
  if (position.endsWith('left')) x = `${marginPixels}`;
  if (position.endsWith('right')) x = `W-w-${marginPixels}`;
  return { x, y };
}
