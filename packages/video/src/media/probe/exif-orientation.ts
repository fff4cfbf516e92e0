import { fourCharacters, type ReadAt, readInBlocks, viewOf } from '../boxes.ts';
import { findPngChunk } from './read-png.ts';
import { readRiff } from './riff.ts';

/** Values of the EXIF tag Orientation other than 1, which is upright. */
const orientations = [2, 3, 4, 5, 6, 7, 8] as const;

export type ExifOrientation = (typeof orientations)[number];

/**
 * The EXIF orientation of a JPEG, PNG, WebP or TIFF. Undefined for an upright image, for one without the tag or with damaged
 * EXIF, and for another container.
 */
export async function readExifOrientation(container: string, readFile: ReadAt): Promise<ExifOrientation | undefined> {
  const readAt = readInBlocks(readFile);
  const start = await findExif[container]?.(readAt);
  return start === undefined ? undefined : readTag(readAt, start);
}

/** By ffmpeg's name of the container: finds the offset of the TIFF header. */
const findExif: Record<string, (readAt: ReadAt) => Promise<number | undefined>> = {
  tiff_pipe: async () => 0,
  jpeg_pipe: async (readAt) => {
    for (let [count, offset] = [0, 2]; count < maxSegments; count += 1) {
      const segment = viewOf(await readAt(offset, 10));
      if (segment.byteLength < 10 || segment.getUint8(0) !== 0xff || segment.getUint8(1) === startOfScan) break;
      if (segment.getUint8(1) === applicationSegment && fourCharacters(segment, 4) === 'Exif') return offset + 10;
      offset += 2 + segment.getUint16(2);
    }
    return undefined;
  },
  // The chunk may be the last one.
  png_pipe: async (readAt) => (await findPngChunk(readAt, { type: 'eXIf' }))?.offset,
  webp_pipe: async (readAt) => {
    for await (const chunk of (await readRiff(readAt, 'WEBP')) ?? []) {
      if (chunk?.name !== 'EXIF') continue;
      // Some programs keep the prefix of JPEG.
      const hasPrefix = chunk.content.byteLength >= 4 && fourCharacters(chunk.content, 0) === 'Exif';
      return chunk.start + (hasPrefix ? 6 : 0);
    }
    return undefined;
  },
};

/** ITU-T T.81, annex B. */
const [applicationSegment, startOfScan] = [0xe1, 0xda];

/** More than cameras write. A hostile file may have millions. */
const maxSegments = 1000;

const orientationTag = 274;
const entryBytes = 12;

/** More than cameras write. They are in ascending order. */
const maxEntries = 512;

/** Reads the tag from the first directory of TIFF data that starts at this offset. */
async function readTag(readAt: ReadAt, start: number): Promise<ExifOrientation | undefined> {
  const header = await readAt(start, 8);
  if (header.length < 8) return undefined;
  // `II`, `MM` and the number 42 in that byte order.
  const mark = viewOf(header).getUint32(0);
  if (mark !== 0x49492a00 && mark !== 0x4d4d002a) return undefined;
  const isLittleEndian = mark === 0x49492a00;
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
