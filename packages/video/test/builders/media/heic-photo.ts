import { readFile, writeFile } from 'node:fs/promises';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';

const uint = (value: number, bytes: 1 | 2 | 4) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
const int = (value: number) => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
};
const box = (type: string, ...content: Buffer[]) => {
  const whole = Buffer.concat(content);
  return Buffer.concat([uint(whole.length + 8, 4), Buffer.from(type), whole]);
};
const fullBox = (type: string, version: number, ...content: Buffer[]) =>
  box(type, Buffer.from([version, 0, 0, 0]), ...content);

const tileSide = 128;
const gridId = 1;

export type HeicOptions = {
  /** Frames of the whole image, as inputs of ffmpeg. */
  source: readonly string[];
  width: number;
  height: number;
  /** Quarter turns anticlockwise with which it is shown. */
  quarterTurns?: 0 | 1 | 2 | 3;
  /** Its size, and the distance of its center from that of the image. */
  crop?: readonly [width: number, height: number, right: number, down: number];
  profile?: Buffer;
  /** Primaries, transfer and matrix in numbers of ITU-T H.273, and whether the range is full. */
  colors?: readonly [primaries: number, transfer: number, matrix: number, isFullRange: boolean];
};

/** A photo in HEIC as phones take it: a grid of tiles in HEVC, a rotation, and a color profile. Made on first use. */
export function heicPhoto(options: HeicOptions): Promise<string> {
  const recipe = { ...options, profile: options.profile?.toString('base64'), tileSide };
  return cachedFile({ name: 'photo.heic', recipe }, async (path) => writeFile(path, await makePhoto(options, path)));
}

async function makePhoto(
  { source, width, height, quarterTurns = 0, crop, profile, colors }: HeicOptions,
  path: string,
) {
  const [columns, rows] = [Math.ceil(width / tileSide), Math.ceil(height / tileSide)];
  const tiles: { config: Buffer; frame: Buffer }[] = [];
  for (let index = 0; index < rows * columns; index++) {
    const [x, y] = [(index % columns) * tileSide, Math.floor(index / columns) * tileSide];
    const filters = `pad=${columns * tileSide}:${rows * tileSide},crop=${tileSide}:${tileSide}:${x}:${y}`;
    tiles.push(await encodeTile([...source, '-vf', filters], `${path}.mp4`));
  }
  const grid = Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), uint(width, 2), uint(height, 2)]);
  const contents = [grid, ...tiles.map(({ frame }) => frame)];
  const ids = contents.map((_, index) => gridId + index);
  const extents = (size: number, other = size) => fullBox('ispe', 0, uint(size, 4), uint(other, 4));
  const cropped = crop ? [box('clap', ...crop.flatMap((number) => [int(2 * number), int(2)]))] : [];
  const declared = [
    ...(profile ? [box('colr', Buffer.from('prof'), profile)] : []),
    ...(colors ? [box('colr', Buffer.from('nclx'), codePoints(colors))] : []),
  ];
  const properties = [
    extents(width, height),
    ...cropped,
    box('irot', Buffer.from([quarterTurns])),
    ...declared,
    extents(tileSide),
    ...tiles.map(({ config }) => config),
  ];
  const shared = 3 + cropped.length + declared.length;
  const indexesOf = (item: number) =>
    item === 0 ? Array.from({ length: shared - 1 }, (_, index) => index + 1) : [shared, shared + item];
  const associations = ids.map((id, item) => {
    const indexes = indexesOf(item);
    return Buffer.concat([uint(id, 2), Buffer.from([indexes.length, ...indexes])]);
  });
  const entries = ids.map((id, item) =>
    fullBox('infe', 2, uint(id, 2), uint(0, 2), Buffer.from(item === 0 ? 'grid\0' : 'hvc1\0')),
  );
  const ftyp = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic'));
  const metaAt = (dataOffset: number) => {
    let offset = dataOffset;
    const locations = contents.map((content, item) => {
      const entry = Buffer.concat([
        uint(ids[item] ?? 0, 2),
        uint(0, 2),
        uint(1, 2),
        uint(offset, 4),
        uint(content.length, 4),
      ]);
      offset += content.length;
      return entry;
    });
    const reference = box('dimg', uint(gridId, 2), uint(tiles.length, 2), ...ids.slice(1).map((id) => uint(id, 2)));
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, Buffer.from('\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0')),
      fullBox('pitm', 0, uint(gridId, 2)),
      fullBox('iloc', 0, Buffer.from([0x44, 0]), uint(contents.length, 2), ...locations),
      fullBox('iinf', 0, uint(entries.length, 2), ...entries),
      fullBox('iref', 0, reference),
      box('iprp', box('ipco', ...properties), fullBox('ipma', 0, uint(ids.length, 4), ...associations)),
    );
  };
  const dataOffset = ftyp.length + metaAt(0).length + 8;
  return Buffer.concat([ftyp, metaAt(dataOffset), box('mdat', ...contents)]);
}

function codePoints([primaries, transfer, matrix, isFullRange]: NonNullable<HeicOptions['colors']>): Buffer {
  const numbers = [primaries, transfer, matrix].map((number) => uint(number, 2));
  return Buffer.concat([...numbers, uint(isFullRange ? 0x80 : 0, 1)]);
}

/** One frame of HEVC and its configuration, taken out of an MP4. */
async function encodeTile(source: readonly string[], path: string): Promise<{ config: Buffer; frame: Buffer }> {
  const hevc = ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-crf', '12', '-tag:v', 'hvc1'];
  await bareFfmpeg([...source, '-frames:v', '1', ...hevc, '-pix_fmt', 'yuv420p', '-an', path]);
  const file = await readFile(path);
  const boxOf = (type: string) => {
    const start = file.indexOf(type, 0, 'latin1') - 4;
    return file.subarray(start, start + file.readUInt32BE(start));
  };
  return { config: boxOf('hvcC'), frame: boxOf('mdat').subarray(8) };
}
