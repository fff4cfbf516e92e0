import { JobError } from '../errors.ts';

/** A picture's size in square pixels. */
export type Size = { width: number; height: number };

/** The nearest even length, at least 2: 4:2:0 video has no odd sizes. */
export function roundToEven(length: number): number {
  return Math.max(2, Math.round(length / 2) * 2);
}

/** The same size with both lengths even. */
export function evenSize({ width, height }: Size): Size {
  return { width: roundToEven(width), height: roundToEven(height) };
}

/** The same size in whole pixels, at least 1, for pictures that may be odd. */
export function roundedSize({ width, height }: Size): Size {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

/** The size multiplied so that it fits inside the bounds and touches one of them. Not rounded. */
export function fitInside(source: Size, bounds: Partial<Size>): Size {
  return scaled(source, Math.min(...factors(source, bounds)));
}

/** As `fitInside`, but never larger than the source. Not rounded. */
export function shrinkInto(source: Size, bounds: Partial<Size>): Size {
  return scaled(source, Math.min(1, ...factors(source, bounds)));
}

/** The size multiplied so that it covers the bounds and touches one of them. Not rounded. */
export function fitAround(source: Size, bounds: Size): Size {
  return scaled(source, Math.max(...factors(source, bounds)));
}

/** Refuses a picture that no encoder here writes: a long, thin source may ask for one. */
export function requireEncodableSize(size: Size): Size {
  if (size.width <= maxSidePixels && size.height <= maxSidePixels) return size;
  const message = `The output would be ${size.width}x${size.height} pixels; the limit is ${maxSidePixels}x${maxSidePixels}`;
  throw new JobError('INPUT_UNSUPPORTED', message);
}

/** The longest side of a picture that is written, in pixels. */
export const maxSidePixels = 8192;

function factors(source: Size, { width, height }: Partial<Size>): number[] {
  return [
    ...(width === undefined ? [] : [width / source.width]),
    ...(height === undefined ? [] : [height / source.height]),
  ];
}

function scaled({ width, height }: Size, factor: number): Size {
  return { width: width * factor, height: height * factor };
}
