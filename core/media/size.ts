/** A picture's size in square pixels. */
export type Size = { width: number; height: number };

/** The nearest even length, at least 2: 4:2:0 video has no odd sizes. */
export function even(length: number): number {
  return Math.max(2, Math.round(length / 2) * 2);
}

/** The same size with both lengths even. */
export function evenSize({ width, height }: Size): Size {
  return { width: even(width), height: even(height) };
}

/** Multiplies both lengths; the result is not rounded. */
export function scaled({ width, height }: Size, factor: number): Size {
  return { width: width * factor, height: height * factor };
}

/** The largest size of the same shape within the bounds given; never larger than the source. Not rounded. */
export function fitWithin(source: Size, bounds: Partial<Size>): Size {
  const across = (bounds.width ?? source.width) / source.width;
  const down = (bounds.height ?? source.height) / source.height;
  return scaled(source, Math.min(1, across, down));
}
