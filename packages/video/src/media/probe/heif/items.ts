import { type Box, findBox, fourCharacters, integerReader, part, readBoxes, viewOf } from '../../boxes.ts';
import type { Size } from '../../frame-size.ts';

/** The items of a HEIF file: images, tiles, and what relates them. */
export type Items = {
  primaryId: number;
  /** Types by item id, such as `hvc1`, `av01` or `grid`. */
  types: ReadonlyMap<number, string>;
  /** From an item to others, such as `dimg` from a grid to its tiles, in their order. */
  references: readonly { type: string; from: number; to: readonly number[] }[];
  /** The properties of an item in their order. */
  propertiesOf(id: number): Box[];
  /** The bytes of a small item in the read part of the file. */
  contentOf(id: number): DataView | undefined;
};

/**
 * Reads the items of a HEIF file from its first bytes.
 * @throws RangeError if a box is shorter than it declares
 */
export function readItems(file: DataView): Items | undefined {
  const meta = findBox(readBoxes(file), 'meta');
  if (meta === undefined) return undefined;
  const boxes = readBoxes(meta, 4);
  const [pitm, iinf, iprp] = ['pitm', 'iinf', 'iprp'].map((type) => findBox(boxes, type));
  if (pitm === undefined || iinf === undefined || iprp === undefined) return undefined;
  const associations = readAssociations(iprp);
  const properties = readBoxes(findBox(readBoxes(iprp), 'ipco') ?? part(iprp, 0, 0));
  return {
    primaryId: integerReader(pitm, 4)(pitm.getUint8(0) === 0 ? 2 : 4),
    types: readTypes(iinf),
    references: readReferences(findBox(boxes, 'iref')),
    propertiesOf: (id) =>
      (associations.get(id) ?? []).flatMap((index) => properties.slice(index - 1, Math.max(0, index))),
    contentOf: (id) => readContent(boxes, file, id),
  };
}

function readTypes(iinf: DataView): Map<number, string> {
  const entries = readBoxes(iinf, iinf.getUint8(0) === 0 ? 6 : 8).filter(({ type }) => type === 'infe');
  return new Map(
    entries.map(({ content }) => {
      const idBytes = content.getUint8(0) === 2 ? 2 : 4;
      return [integerReader(content, 4)(idBytes), fourCharacters(content, 4 + idBytes + 2)];
    }),
  );
}

function readReferences(iref: DataView | undefined): Items['references'] {
  if (iref === undefined) return [];
  const idBytes = iref.getUint8(0) === 0 ? 2 : 4;
  return readBoxes(iref, 4).map(({ type, content }) => {
    const read = integerReader(content);
    const from = read(idBytes);
    return { type, from, to: Array.from({ length: read(2) }, () => read(idBytes)) };
  });
}

/** The indexes of properties, from 1, by item id. */
function readAssociations(iprp: DataView): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { type, content } of readBoxes(iprp)) {
    if (type !== 'ipma') continue;
    const idBytes = content.getUint8(0) === 0 ? 2 : 4;
    const isWide = (content.getUint8(3) & 1) === 1;
    const read = integerReader(content, 4);
    for (let entries = read(4); entries > 0; entries--) {
      const id = read(idBytes);
      const indexes = Array.from({ length: read(1) }, () => (isWide ? read(2) & 0x7fff : read(1) & 0x7f));
      found.set(id, indexes);
    }
  }
  return found;
}

/** An item of one extent, in the file or in the box `idat`. */
function readContent(boxes: readonly Box[], file: DataView, wanted: number): DataView | undefined {
  const iloc = findBox(boxes, 'iloc');
  if (iloc === undefined) return undefined;
  const version = iloc.getUint8(0);
  const [sizes, more] = [iloc.getUint8(4), iloc.getUint8(5)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version === 0 ? 0 : more & 15;
  const idBytes = version < 2 ? 2 : 4;
  const read = integerReader(iloc, 6);
  for (let items = read(idBytes); items > 0; items--) {
    const id = read(idBytes);
    const method = version === 0 ? 0 : read(2) & 15;
    read(2);
    const base = read(baseBytes);
    const extents = read(2);
    if (id !== wanted || extents === 0) {
      // By their bytes: a hostile file has millions of extents whose fields have none.
      read(extents * (indexBytes + offsetBytes + lengthBytes));
      continue;
    }
    read(indexBytes);
    const [offset, length] = [base + read(offsetBytes), read(lengthBytes)];
    const source = method === 1 ? findBox(boxes, 'idat') : file;
    return source && part(source, offset, length);
  }
  return undefined;
}

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
