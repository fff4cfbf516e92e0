import { viewOf } from '../boxes.ts';
import type { ReadAt } from '../read-at.ts';
import { readInBlocks } from '../read-in-blocks.ts';

/** Values of the EXIF tag Orientation other than 1, which is upright. */
const orientations = [2, 3, 4, 5, 6, 7, 8] as const;

export type ExifOrientation = (typeof orientations)[number];

/**
 * The EXIF orientation of a PNG, WebP or TIFF, which ffmpeg does not apply. Undefined for an upright image, for one without
 * the tag or with damaged EXIF, and for another container.
 */
export async function readExifOrientation(
  container: string,
  readFile: ReadAt,
): Promise<ExifOrientation | undefined> {
  const readAt = readInBlocks(readFile);
  const start = await findExif[container]?.(readAt);
  return start === undefined ? undefined : readTag(readAt, start);
}

/** By ffmpeg's name of the container: finds the offset of the TIFF header. */
const findExif: Record<string, (readAt: ReadAt) => Promise<number | undefined>> = {
  tiff_pipe: async () => 0,
  png_pipe: (readAt) => findChunk(readAt, png),
  webp_pipe: async (readAt) => {
    const start = await findChunk(readAt, riff);
    if (start === undefined) return undefined;
    // Some programs keep the prefix of JPEG.
    return latin1(await readAt(start, 4)) === 'Exif' ? start + 6 : start;
  },
};

type ChunkedFormat = {
  /** Offset of the first chunk. */
  first: number;
  exif: string;
  typeOffset: number;
  sizeOffset: number;
  isLittleEndian: boolean;
  /** Bytes of a chunk with this size. */
  totalBytes: (size: number) => number;
};

const png: ChunkedFormat = {
  first: 8,
  exif: 'eXIf',
  typeOffset: 4,
  sizeOffset: 0,
  isLittleEndian: false,
  totalBytes: (size) => size + 12,
};

const riff: ChunkedFormat = {
  first: 12,
  exif: 'EXIF',
  typeOffset: 0,
  sizeOffset: 4,
  isLittleEndian: true,
  totalBytes: (size) => 8 + size + (size % 2),
};

/** A PNG has a chunk for each 8 KB or more. A hostile file may have millions. */
const maxChunks = 20_000;

/** The offset of the content of the EXIF chunk, which may be the last one. */
async function findChunk(readAt: ReadAt, format: ChunkedFormat): Promise<number | undefined> {
  let offset = format.first;
  for (let count = 0; count < maxChunks; count += 1) {
    const header = await readAt(offset, 8);
    if (header.length < 8) return undefined;
    if (latin1(header.subarray(format.typeOffset, format.typeOffset + 4)) === format.exif) return offset + 8;
    offset += format.totalBytes(viewOf(header).getUint32(format.sizeOffset, format.isLittleEndian));
  }
  return undefined;
}

const orientationTag = 274;
const entryBytes = 12;

/** More than cameras write. They are in ascending order. */
const maxEntries = 512;

/** Reads the tag from the first directory of TIFF data that starts at this offset. */
async function readTag(readAt: ReadAt, start: number): Promise<ExifOrientation | undefined> {
  const header = await readAt(start, 8);
  const order = latin1(header.subarray(0, 2));
  if (header.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const isLittleEndian = order === 'II';
  const directory = start + viewOf(header).getUint32(4, isLittleEndian);
  const bytes = await readAt(directory, 2 + maxEntries * entryBytes);
  if (bytes.length < 2) return undefined;
  const view = viewOf(bytes);
  const end = Math.min(bytes.length, 2 + view.getUint16(0, isLittleEndian) * entryBytes);
  for (let offset = 2; offset + entryBytes <= end; offset += entryBytes) {
    if (view.getUint16(offset, isLittleEndian) !== orientationTag) continue;
    const value = view.getUint16(offset + 8, isLittleEndian);
    return orientations.find((orientation) => orientation === value);
  }
  return undefined;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
