import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';
import { aCanvas, aRiff, aRiffChunk } from './webp.ts';

const orientedSize = { width: 64, height: 32 };

/** A test pattern whose EXIF has this orientation. In PNG, the EXIF is behind the pixels. */
export async function orientedImage(format: 'png' | 'webp' | 'tiff' | 'jpg', orientation: number): Promise<string> {
  const { width, height } = orientedSize;
  const opaque = format === 'webp' ? ['-pix_fmt', 'yuv420p', '-quality', '100'] : [];
  const pattern = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}`, '-frames:v', '1', ...opaque];
  const upright = await generatedFile(`upright.${format}`, pattern);
  return cachedFile({ name: `oriented.${format}`, recipe: [pattern, orientation] }, async (path) =>
    writeFile(path, insertExif[format](await readFile(upright), orientation)),
  );
}

const insertExif = {
  jpg(image: Buffer, orientation: number): Buffer {
    const content = Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation)]);
    const header = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
    return Buffer.concat([image.subarray(0, 2), header, content, image.subarray(2)]);
  },
  png(image: Buffer, orientation: number): Buffer {
    const end = image.length - 12;
    const typed = Buffer.concat([Buffer.from('eXIf'), exif(orientation)]);
    const length = uint32(typed.length - 4);
    return Buffer.concat([image.subarray(0, end), length, typed, uint32(crc32(typed)), image.subarray(end)]);
  },
  webp(image: Buffer, orientation: number): Buffer {
    const { width, height } = orientedSize;
    return aRiff('WEBP', [aCanvas(width, height, 0x08), image.subarray(12), aRiffChunk('EXIF', exif(orientation))]);
  },
  /** Appends a copy of the directory with one more entry. */
  tiff(image: Buffer, orientation: number): Buffer {
    const from = image.readUInt32LE(4);
    const count = image.readUInt16LE(from);
    const entries = Array.from({ length: count }, (_, index) => image.subarray(from + 2 + 12 * index).subarray(0, 12));
    const all = [...entries, entry(orientation)].sort((one, other) => one.readUInt16LE(0) - other.readUInt16LE(0));
    const moved = Buffer.from(image);
    moved.writeUInt32LE(image.length, 4);
    return Buffer.concat([moved, Buffer.from([all.length, 0]), ...all, Buffer.alloc(4)]);
  },
};

/** TIFF data with one entry, little-endian. */
function exif(orientation: number): Buffer {
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0\x01\0', 'latin1'), entry(orientation), Buffer.alloc(4)]);
}

/** The entry of the tag Orientation, a SHORT. */
function entry(orientation: number): Buffer {
  return Buffer.from([0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
