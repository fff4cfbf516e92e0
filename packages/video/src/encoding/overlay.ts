import * as z from 'zod';
import { type Filter, type FilterGraph, filter, firstFrames, formatFilter } from '../media/filters/filter.ts';
import { makeUpright } from '../media/filters/video-filters.ts';
import type { Size } from '../media/frame-size.ts';
import type { ExifOrientation } from '../media/probe/exif-orientation.ts';
import { number } from '../values.ts';

// biome-ignore format: a table
export const overlayPositions = [
  'top-left', 'top', 'top-right',
  'left', 'center', 'right',
  'bottom-left', 'bottom', 'bottom-right',
] as const;

export type OverlayPosition = (typeof overlayPositions)[number];

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

/** Draws the second input over a stream of the first between `filters` and `after`. Its output is `[out]`. */
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

export const subtitleStyle = {
  fontSize: number(2, 20)
    .default(6)
    .meta({ description: "Height of a line of text, in percent of the video's shorter side." }),
  position: z
    .enum(['bottom', 'center', 'top'])
    .default('bottom')
    .meta({ description: 'Position of the text, unless a cue of an SRT file has its own.' }),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'Must be # and six hexadecimal digits')
    .default('#ffffff')
    .meta({ description: 'Color of the text: # and two hexadecimal digits each for red, green and blue.' }),
  background: z
    .enum(['outline', 'box'])
    .default('outline')
    .meta({ description: 'Contrast for the text: a black outline around each letter, or a dark box behind the text.' }),
};

type SubtitleStyle = z.output<z.ZodObject<typeof subtitleStyle>>;

const fontName = 'DejaVu Sans';

/** The script height that libass assumes for SRT. Sizes and margins are relative to it. */
const scriptHeight = 288;

/** The alignment numbers of legacy SSA, which force_style expects. */
const alignments: Record<SubtitleStyle['position'], number> = { bottom: 2, top: 6, center: 10 };

/** A trusted file with text in SRT, and the only directory of fonts that it is drawn with. */
export type SubtitleFiles = { path: string; fontsDirectory: string };

export type BurnedSubtitles = SubtitleFiles & {
  /** The content of the file; empty until it was read. */
  text: string;
  style: SubtitleStyle;
};

/** The filter that draws the cues of a file into frames of this size. */
export function drawSubtitles(
  { path, fontsDirectory, style: { fontSize, position, color, background } }: Omit<BurnedSubtitles, 'text'>,
  { width, height }: Size,
): Filter {
  const size = ((fontSize / 100) * Math.min(width, height) * scriptHeight) / height;
  const style = {
    FontName: fontName,
    FontSize: size.toFixed(2),
    Alignment: alignments[position],
    MarginV: 14,
    MarginL: 19,
    MarginR: 19,
    PrimaryColour: `&H00${color.slice(5)}${color.slice(3, 5)}${color.slice(1, 3)}`,
    ...(background === 'box'
      ? { BorderStyle: 4, BackColour: '&H40000000', Outline: 0, Shadow: (size / 6).toFixed(2) }
      : { BorderStyle: 1, OutlineColour: '&H00000000', Outline: (size / 14).toFixed(2), Shadow: 0 }),
  };
  const force = Object.entries(style).map(([name, value]) => `${name}=${value}`);
  const options = [
    `filename=${escapeFilterValue(path)}`,
    `fontsdir=${escapeFilterValue(fontsDirectory)}`,
    `force_style=${escapeFilterValue(force.join(','))}`,
  ];
  return filter('subtitles', options.join(':'));
}

/** Escapes an option value in a filter graph, which ffmpeg parses twice: as an option and as part of a graph. */
export function escapeFilterValue(text: string): string {
  return text.replace(/[\\':]/g, '\\$&').replace(/[\\'[\],;]/g, '\\$&');
}
