import type { Size } from '../media/frame-size.ts';

/** Where something lies in a picture. */
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

/** A still picture that is laid over every frame. */
export type Overlay = {
  path: string;
  /** The stream of the file that holds it. */
  streamIndex: number;
  /** It is made as large as fits into this size, in pixels. */
  maxSize: Size;
  position: OverlayPosition;
  /** Pixels between it and the edges that it lies at. */
  marginPixels: number;
  /** From 0, which nobody sees, to 1. */
  opacity: number;
};

/** A filter graph that lays the second input over what `picture`, a chain of the first one, makes; ends in `[out]`. */
export function overlayGraph(picture: string, { streamIndex, maxSize, opacity, ...place }: Overlay): string {
  const mark = [
    // A file may hold several pictures in a row, which would be played.
    'trim=end_frame=1',
    // Scaled as it is, what cannot be seen would colour the edges of what can.
    ...['format=gbrap', 'premultiply=inplace=1'],
    `scale=${maxSize.width}:${maxSize.height}:force_original_aspect_ratio=decrease`,
    'unpremultiply=inplace=1',
    ...(opacity === 1 ? [] : [`colorchannelmixer=aa=${opacity}`]),
  ];
  const { x, y } = cornerOf(place);
  return [
    `${picture},format=yuv420p[picture]`,
    `[1:${streamIndex}]${mark.join(',')}[mark]`,
    `[picture][mark]overlay=x=${x}:y=${y}[out]`,
  ].join(';');
}

/** Expressions of the overlay filter: W and H are the picture's size, w and h the mark's. */
function cornerOf({ position, marginPixels }: Pick<Overlay, 'position' | 'marginPixels'>): {
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
