import { rejectInput } from '../errors.ts';

/** Size in square pixels. */
export type Size = { width: number; height: number };

/** The nearest even length, at least 2. 4:2:0 video has no odd sizes. */
export function roundToEven(length: number): number {
  return Math.max(2, Math.round(length / 2) * 2);
}

/** The largest even length that is not above this maximum. */
export function roundDownToEven(maximum: number): number {
  return Math.floor(maximum / 2) * 2;
}

export function evenSize({ width, height }: Size): Size {
  return { width: roundToEven(width), height: roundToEven(height) };
}

/** The source in an even size, at most the maximum of each side. An odd side becomes even upwards, up to its maximum. */
export function evenSizeWithin(source: Size, maximum: Partial<Size>): Size {
  const { width = Number.POSITIVE_INFINITY, height = Number.POSITIVE_INFINITY } = maximum;
  return evenSize(shrinkInto(source, { width: roundDownToEven(width), height: roundDownToEven(height) }));
}

/** The size in whole pixels, at least 1, for images, which may be odd. */
export function roundedSize({ width, height }: Size): Size {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

/** Scales the size to fit inside the bounds. Not rounded. */
export function fitInside(source: Size, bounds: Partial<Size>): Size {
  return scaled(source, Math.min(...factors(source, bounds)));
}

/** Like `fitInside`, but never larger than the source. */
export function shrinkInto(source: Size, bounds: Partial<Size>): Size {
  return scaled(source, Math.min(1, ...factors(source, bounds)));
}

/** Scales the size to cover the bounds. Not rounded. */
export function fitAround(source: Size, bounds: Size): Size {
  return scaled(source, Math.max(...factors(source, bounds)));
}

/** @throws JobError `INPUT_UNSUPPORTED` above the encoder limit, as for a very long and thin source */
export function requireEncodableSize(size: Size): Size {
  if (size.width <= maxSidePixels && size.height <= maxSidePixels) return size;
  const message = `The output would be ${size.width}x${size.height} pixels; the limit is ${maxSidePixels}x${maxSidePixels}`;
  rejectInput(message);
}

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
