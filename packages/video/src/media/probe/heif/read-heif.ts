import { fourCharacters, integerReader, part } from '../../boxes.ts';
import type { Size } from '../../frame-size.ts';
import { type Crop, type Items, readCrop, readItems } from './items.ts';

/** The colors that a HEIF file declares in numbers of ITU-T H.273, by ffmpeg's names; undefined for other numbers. */
export type HeifColors = {
  primaries: string | undefined;
  transfer: string | undefined;
  matrix: string | undefined;
  isFullRange: boolean;
};

// biome-ignore format: a table
const primaries: Record<number, string> = {
  1: 'bt709', 5: 'bt470bg', 6: 'smpte170m', 9: 'bt2020', 11: 'smpte431', 12: 'smpte432',
};

// biome-ignore format: a table
const transfers: Record<number, string> = {
  1: 'bt709', 6: 'smpte170m', 8: 'linear', 13: 'iec61966-2-1', 14: 'bt2020-10', 15: 'bt2020-12',
  16: 'smpte2084', 18: 'arib-std-b67',
};

const matrices: Record<number, string> = { 1: 'bt709', 5: 'bt470bg', 6: 'smpte170m', 9: 'bt2020nc' };

/** Reads the content of a `colr` box of the type `nclx` (ISO/IEC 14496-12, section 12.1.5). */
function readHeifColors(colr: DataView): HeifColors {
  return {
    primaries: primaries[colr.getUint16(4)],
    transfer: transfers[colr.getUint16(6)],
    matrix: matrices[colr.getUint16(8)],
    isFullRange: (colr.getUint8(10) & 0x80) !== 0,
  };
}

/** A still image in HEIF: HEIC or AVIF. Its parts are streams of ffmpeg, whose ids are those of the items. */
export type HeifImage = {
  /** ffmpeg's name of the codec. */
  codec: string;
  /** Rows of tiles from the top left; one tile if the image is not divided. */
  tileIds: readonly number[];
  columns: number;
  rows: number;
  /** Of the image before its crop and rotation, in pixels. The tiles may be larger together. */
  size: Size;
  /** The part of the image that is shown, before its rotation. */
  crop?: Crop | undefined;
  /** Degrees clockwise. */
  rotation: 0 | 90 | 180 | 270;
  /** Mirrored after the rotation: `horizontal` swaps left and right. */
  mirror?: 'horizontal' | 'vertical' | undefined;
  /** The stream with the transparency. */
  alphaId?: number | undefined;
  /** Undefined if the file declares none. */
  colors?: HeifColors | undefined;
  /** ICC profile. */
  profile?: Uint8Array | undefined;
};

const codecs: Record<string, string> = { hvc1: 'hevc', av01: 'av1' };

/** Reads a HEIF file from its first bytes. Undefined for a file that is not one, or whose parts are inconsistent. */
export function readHeif(bytes: Uint8Array): HeifImage | undefined {
  try {
    const items = readItems(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return items && readPrimary(items);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPrimary(items: Items): HeifImage | undefined {
  const { primaryId, types, references } = items;
  const layout = types.get(primaryId) === 'grid' ? readGrid(items) : readSingle(items);
  const codecOf = (id: number | undefined) => codecs[types.get(id ?? -1) ?? ''];
  const codec = codecOf(layout?.tileIds[0]);
  if (layout === undefined || codec === undefined) return undefined;
  if (!layout.tileIds.every((id) => codecOf(id) === codec)) return undefined;
  const alpha = references.find(
    ({ type, from, to }) => type === 'auxl' && to.includes(primaryId) && isAlpha(items, from),
  );
  // A transparency of several tiles is rare; the image is then opaque.
  const alphaId = alpha && codecOf(alpha.from) !== undefined ? alpha.from : undefined;
  const crop = readCrop(items, layout.size);
  return { codec, ...layout, ...(crop && { crop }), ...readDisplay(items), ...(alphaId !== undefined && { alphaId }) };
}

type Layout = Pick<HeifImage, 'tileIds' | 'columns' | 'rows' | 'size'>;

function readSingle({ primaryId, propertiesOf }: Items): Layout | undefined {
  const extents = propertiesOf(primaryId).find(({ type }) => type === 'ispe')?.content;
  if (extents === undefined) return undefined;
  const size = { width: extents.getUint32(4), height: extents.getUint32(8) };
  return { tileIds: [primaryId], columns: 1, rows: 1, size };
}

/** More than photos have: 48 megapixels in tiles of 512x512 are 192. */
const maxTiles = 1024;

function readGrid({ primaryId, contentOf, references }: Items): Layout | undefined {
  const grid = contentOf(primaryId);
  const tileIds = references.find(({ type, from }) => type === 'dimg' && from === primaryId)?.to;
  if (grid === undefined || tileIds === undefined) return undefined;
  const [rows, columns] = [grid.getUint8(2) + 1, grid.getUint8(3) + 1];
  const read = integerReader(grid, 4);
  const sideBytes = grid.getUint8(1) & 1 ? 4 : 2;
  const size = { width: read(sideBytes), height: read(sideBytes) };
  const isWhole = tileIds.length === rows * columns && tileIds.length <= maxTiles;
  return isWhole ? { tileIds, columns, rows, size } : undefined;
}

/** Rotation is anticlockwise in the file. */
function readDisplay({
  primaryId,
  propertiesOf,
}: Items): Pick<HeifImage, 'rotation' | 'mirror' | 'colors' | 'profile'> {
  const properties = propertiesOf(primaryId);
  const contentOf = (name: string) => properties.find(({ type }) => type === name)?.content;
  const turns = (contentOf('irot')?.getUint8(0) ?? 0) & 3;
  const rotation = ([0, 270, 180, 90] as const)[turns] ?? 0;
  const mirrored = contentOf('imir');
  const mirror = mirrored && ((mirrored.getUint8(0) & 1) === 1 ? 'horizontal' : 'vertical');
  const colors = properties.filter(({ type }) => type === 'colr').map(({ content }) => content);
  const color = (...kinds: string[]) => colors.find((content) => kinds.includes(fourCharacters(content, 0)));
  const profile = color('prof', 'rICC');
  const icc = profile && part(profile, 4);
  const codePoints = color('nclx');
  return {
    rotation,
    ...(codePoints && { colors: readHeifColors(codePoints) }),
    ...(mirror && { mirror }),
    ...(icc && { profile: new Uint8Array(icc.buffer, icc.byteOffset, icc.byteLength) }),
  };
}

/** Longer than the names below. Each of thousands of references may lead to a name of a megabyte. */
const maxNameBytes = 64;

const latin1 = new TextDecoder('latin1');

function isAlpha({ propertiesOf }: Items, id: number): boolean {
  const auxiliary = propertiesOf(id).find(({ type }) => type === 'auxC')?.content;
  if (auxiliary === undefined) return false;
  const nameBytes = Math.min(maxNameBytes, auxiliary.byteLength - 4);
  const name = latin1.decode(part(auxiliary, 4, nameBytes));
  return (
    name.startsWith('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha') || name.startsWith('urn:mpeg:hevc:2015:auxid:1')
  );
}
