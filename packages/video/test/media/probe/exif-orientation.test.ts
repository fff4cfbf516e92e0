import { describe, expect, it } from 'vitest';
import { readExifOrientation } from '../../../src/media/probe/exif-orientation.ts';
import { aCanvas, aRiff, aRiffChunk, readerOf } from '../../builders/media/webp.ts';

const littleEndian = Buffer.from('49492a0008000000010012010300010000000600000000000000', 'hex');
const bigEndian = Buffer.from('4d4d002a0000000800010112000300000001000600000000', 'hex');
const webp = (exif: Uint8Array) => aRiff('WEBP', [aCanvas(64, 32, 0x08), aRiffChunk('EXIF', exif)]);
const read = (bytes: Uint8Array, container = 'webp_pipe') => readExifOrientation(container, readerOf(bytes));

describe('the EXIF orientation', () => {
  it.each([
    ['little-endian', littleEndian],
    ['big-endian', bigEndian],
    ['behind the prefix of JPEG', Buffer.concat([Buffer.from('Exif\0\0'), bigEndian])],
  ])('is read: %s', async (_, exif) => expect(await read(webp(exif))).toBe(6));

  it.each([
    ['no EXIF', aRiff('WEBP', [aCanvas(64, 32)])],
    ['EXIF of another kind', webp(Buffer.from('XXXXXXXXXX'))],
    ['a directory behind the end', webp(Buffer.from('49492a00ffffffff', 'hex'))],
    ['fewer entries than it says', webp(Buffer.from('49492a0008000000ff00', 'hex'))],
    ['an unknown value', webp(Buffer.from(littleEndian).fill(9, 18, 19))],
    ['nothing', Buffer.alloc(0)],
  ])('is undefined: %s', async (_, bytes) => expect(await read(bytes)).toBeUndefined());

  it('ends its search in a PNG of empty chunks', async () => {
    let reads = 0;
    const endless = async (offset: number, length: number) => {
      reads += 1;
      const bytes = Buffer.alloc(length);
      if (offset === 0) bytes.write('89504e470d0a1a0a', 'hex');
      return bytes;
    };
    expect(await readExifOrientation('png_pipe', endless)).toBeUndefined();
    expect(reads).toBeLessThan(10);
  });

  it('is not read from other containers, which ffmpeg rotates itself', async () => {
    expect(await read(littleEndian, 'tiff_pipe')).toBe(6);
    expect(await read(littleEndian, 'jpeg_pipe')).toBeUndefined();
  });
});
