import { findBox, fourCharacters, readBoxes, viewOf } from '../../boxes.ts';
import type { Size } from '../../frame-size.ts';
import type { Items } from './items.ts';

/** A part of an image, in pixels from its top left. */
export type Crop = Size & { x: number; y: number };

/** The type that hides a clean aperture from ffmpeg: 7.1 cannot open a still image that has one, later versions apply it. */
export const hiddenAperture = 'CLAP';

/**
 * The clean aperture of the primary item (ISO/IEC 14496-12, section 12.1.4): a size, and the distance of its center from
 * that of the image, in fractions. Undefined if there is none, or if it is not within the image.
 */
export function readCrop({ primaryId, propertiesOf }: Items, { width, height }: Size): Crop | undefined {
  const isAperture = ({ type }: { type: string }) => type === 'clap' || type === hiddenAperture;
  const aperture = propertiesOf(primaryId).find(isAperture)?.content;
  if (aperture === undefined) return undefined;
  const fraction = (offset: number) => aperture.getInt32(offset) / aperture.getInt32(offset + 4);
  const size = { width: Math.round(fraction(0)), height: Math.round(fraction(8)) };
  const x = Math.round((width - size.width) / 2 + fraction(16));
  const y = Math.round((height - size.height) / 2 + fraction(24));
  const isWithin =
    Math.min(size.width, size.height) >= 1 &&
    Math.min(x, y) >= 0 &&
    x + size.width <= width &&
    y + size.height <= height;
  return isWithin ? { ...size, x, y } : undefined;
}

/** The positions of the types of all clean apertures in the first bytes of a HEIF file that `readHeif` can read. */
export function findApertures(bytes: Uint8Array): number[] {
  const file = viewOf(bytes);
  const inside = (type: string, parent: DataView | undefined, from = 0) =>
    parent && findBox(readBoxes(parent, from), type);
  const properties = inside('ipco', inside('iprp', inside('meta', file), 4));
  return (properties ? readBoxes(properties) : [])
    .map(({ content }) => content.byteOffset - file.byteOffset - 4)
    .filter((position) => fourCharacters(file, position) === 'clap');
}
