import { headerProfile } from './icc-profile.ts';

const profile = headerProfile('CMYK');
const side = 8;

/** Red images of 8x8 pixels in CMYK, with a color profile of CMYK. ffmpeg reads these formats and cannot write them. */
export const cmykImages = { jpg: cmykJpeg, tiff: cmykTiff };

function cmykJpeg(): Buffer {
  const components = [1, 2, 3, 4];
  const segment = (marker: number, ...content: (number | Buffer)[]) => {
    const body = Buffer.concat(content.map((item) => (typeof item === 'number' ? Buffer.from([item]) : item)));
    const length = Buffer.alloc(2);
    length.writeUInt16BE(body.length + 2);
    return Buffer.concat([Buffer.from([0xff, marker]), length, body]);
  };
  // A table of the one code `0`: 7 bits of a DC coefficient follow, or no AC coefficients.
  const huffman = (id: number, value: number) => segment(0xc4, id, 1, Buffer.alloc(15), value);
  // Inverted, as Adobe writes it: no cyan, three quarters of magenta and yellow, no black.
  const [none, threeQuarters] = ['011111110', '001111110'];
  const code = `${none}${threeQuarters}${threeQuarters}${none}`.padEnd(40, '1');
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\0')),
    segment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01'), profile),
    segment(0xdb, 0, Buffer.alloc(64, 8)),
    segment(0xc0, 8, 0, side, 0, side, 4, ...components.flatMap((id) => [id, 0x11, 0])),
    huffman(0, 7),
    huffman(0x10, 0),
    segment(0xda, 4, ...components.flatMap((id) => [id, 0]), 0, 63, 0),
    Buffer.from(BigInt(`0b${code}`).toString(16).padStart(10, '0'), 'hex'),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function cmykTiff(): Buffer {
  const pixels = Buffer.concat(Array<Buffer>(side * side).fill(Buffer.from([0, 191, 191, 0])));
  const bitsAt = 8 + 2 + 10 * 12 + 4;
  const profileAt = bitsAt + 8;
  const [short, long, undefinedType] = [3, 4, 7];
  // Tag, type, count and value or offset of each entry.
  const entries = [
    [256, short, 1, side],
    [257, short, 1, side],
    [258, short, 4, bitsAt],
    [259, short, 1, 1],
    [262, short, 1, 5],
    [273, long, 1, profileAt + profile.length],
    [277, short, 1, 4],
    [278, short, 1, side],
    [279, long, 1, pixels.length],
    [34_675, undefinedType, profile.length, profileAt],
  ] as const;
  const table = entries.map(([tag, type, count, value]) => {
    const entry = Buffer.alloc(12);
    entry.writeUInt16LE(tag);
    entry.writeUInt16LE(type, 2);
    entry.writeUInt32LE(count, 4);
    entry.writeUInt32LE(value, 8);
    return entry;
  });
  const head = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, entries.length, 0]);
  const bits = Buffer.from([8, 0, 8, 0, 8, 0, 8, 0]);
  return Buffer.concat([head, ...table, Buffer.alloc(4), bits, profile, pixels]);
}
