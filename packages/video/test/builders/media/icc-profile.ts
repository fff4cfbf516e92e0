import { crc32, deflateSync } from 'node:zlib';

const fixed = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
};
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const xyz = (values: readonly number[]) => Buffer.concat([Buffer.from('XYZ \0\0\0\0'), ...values.map(fixed)]);

/** The curve of sRGB as a parametric curve of type 3. */
const sRgbCurve = Buffer.concat([
  Buffer.from('para\0\0\0\0\0\x03\0\0'),
  ...[2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed),
]);

/** A curve by the number of values that it lists: of one, the exponent in 256ths. */
export function listedCurve(...values: readonly number[]): Buffer {
  const list = Buffer.alloc(2 * values.length + (values.length % 2) * 2);
  for (const [index, value] of values.entries()) list.writeUInt16BE(value, 2 * index);
  return Buffer.concat([Buffer.from('curv\0\0\0\0'), uint32(values.length), list]);
}

type Color = readonly [number, number, number];

/** An ICC profile of Display P3: its primaries under D50, and the curve of sRGB. */
export function displayP3Profile(): Buffer {
  const red = [0.51512, 0.2412, -0.00105] as const;
  const green = [0.29198, 0.69225, 0.04189] as const;
  const blue = [0.1571, 0.06657, 0.78407] as const;
  return matrixProfile([red, green, blue], sRgbCurve);
}

/** An ICC profile of RGB by its primaries under D50, and the curve of all three. */
export function matrixProfile([red, green, blue]: readonly [Color, Color, Color], curve: Buffer): Buffer {
  const tags: [string, Buffer][] = [
    ['wtpt', xyz([0.9642, 1, 0.8249])],
    ['rXYZ', xyz(red)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(blue)],
    ...(['rTRC', 'gTRC', 'bTRC'] as const).map((name): [string, Buffer] => [name, curve]),
  ];
  let offset = 128 + 4 + tags.length * 12;
  const table = tags.map(([name, data]) => {
    const entry = Buffer.concat([Buffer.from(name), uint32(offset), uint32(data.length)]);
    offset += data.length;
    return entry;
  });
  const header = Buffer.alloc(128);
  header.writeUInt32BE(offset, 0);
  header.writeUInt32BE(0x0420_0000, 8);
  for (const [at, text] of [
    [12, 'mntrRGB XYZ '],
    [36, 'acsp'],
  ] as const)
    header.write(text, at, 'latin1');
  for (const [index, value] of [0.9642, 1, 0.8249].entries()) fixed(value).copy(header, 68 + 4 * index);
  return Buffer.concat([header, uint32(tags.length), ...table, ...tags.map(([, data]) => data)]);
}

/** The header of an ICC profile of a printer, without tags. */
export function headerProfile(space: 'CMYK' | 'GRAY'): Buffer {
  const profile = Buffer.alloc(132);
  profile.writeUInt32BE(profile.length);
  profile.write(`prtr${space}Lab `, 12, 'latin1');
  profile.write('acsp', 36, 'latin1');
  return profile;
}

/** A PNG with an ICC profile after its header. */
export function withIccProfile(png: Buffer, profile: Buffer): Buffer {
  const headerEnd = 8 + 25;
  const content = Buffer.concat([Buffer.from('iCCPtest\0\0'), deflateSync(profile)]);
  const chunk = Buffer.concat([uint32(content.length - 4), content, uint32(crc32(content))]);
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}
