import { writeFile } from 'node:fs/promises';
import { cachedFile } from './cached-file.ts';

const frames = 50;
const size = 64;
const macroblocksOfField = (size / 16) * (size / 32);

export type FieldPairClip = {
  /** DefaultDuration of the track. */
  defaultDurationMs: number;
  /** Each field is in a block of its own, as mkvmerge writes some broadcasts. */
  isSplit?: boolean;
};

/** H.264 of 50 fields per second and 2 s in Matroska, which codes the fields of a frame apart (PAFF). x264 writes none. */
export function fieldPairMatroska({ defaultDurationMs, isSplit = false }: FieldPairClip): Promise<string> {
  return cachedFile({ name: 'field-pairs.mkv', recipe: ['1', defaultDurationMs, isSplit] }, (path) =>
    writeFile(path, matroska({ defaultDurationMs, isSplit })),
  );
}

/** Exponential-Golomb code. */
function ue(value: number): string {
  const code = (value + 1).toString(2);
  return code.padStart(2 * code.length - 1, '0');
}

function bytesOf(bits: string): Buffer {
  const padded = bits.padEnd(8 * Math.ceil(bits.length / 8), '0');
  return Buffer.from(padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

function unit(type: number, bits: string): Buffer {
  return Buffer.concat([Buffer.from([type]), bytesOf(`${bits}1`)]);
}

const byte = (value: number) => value.toString(2).padStart(8, '0');

/** Main profile, level 3, with fields. */
const sps = unit(
  0x67,
  [byte(77), byte(0), byte(30), ue(0), ue(0), ue(0), ue(4), ue(1), '0', ue(3), ue(1), '001000'].join(''),
);
const pps = unit(0x68, [ue(0), ue(0), '00', ue(0), ue(0), ue(0), '000', ue(0), ue(0), ue(0), '000'].join(''));

/** A field of uncompressed macroblocks (I_PCM). The top field starts an IDR picture. */
function field(frame: number, isBottom: boolean): Buffer {
  const marking = isBottom ? '0' : '00';
  const header = [
    ...[ue(0), ue(7), ue(0), '0000', '1', isBottom ? '1' : `0${ue(frame % 2)}`],
    ...[byte(isBottom ? 1 : 0), marking, ue(0)],
  ].join('');
  const chroma = byte(128).repeat(128);
  let bits = header;
  for (let block = 0; block < macroblocksOfField; block += 1) {
    bits += ue(25);
    bits = bits.padEnd(8 * Math.ceil(bits.length / 8), '0');
    const luma = 16 + (((2 * frame + (isBottom ? 1 : 0)) * 16 + block * 7) % 200);
    bits += byte(luma).repeat(256) + chroma;
  }
  return unit(isBottom ? 0x21 : 0x25, bits);
}

function matroska({ defaultDurationMs, isSplit }: Required<FieldPairClip>): Buffer {
  const blocks = Array.from({ length: frames }, (_, frame) => {
    const [top, bottom] = [sized(field(frame, false), 4), sized(field(frame, true), 4)];
    const time = 40 * frame;
    return isSplit ? [...block(time, top), ...block(time + 20, bottom)] : block(time, top, bottom);
  }).flat();
  const configuration = [
    ...[Buffer.from([1, 77, 0, 30, 0xff, 0xe1]), sized(sps, 2)],
    ...[Buffer.from([1]), sized(pps, 2)],
  ];
  const track = [
    ...[number('d7', 1), number('73c5', 1), number('83', 1), number('23e383', defaultDurationMs * 1e6)],
    element('86', Buffer.from('V_MPEG4/ISO/AVC')),
    element('63a2', ...configuration),
    element('e0', number('b0', size), number('ba', size)),
  ];
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('matroska')), number('4287', 4), number('4285', 2)),
    element(
      '18538067',
      element('1549a966', number('2ad7b1', 1_000_000)),
      element('1654ae6b', element('ae', ...track)),
      element('1f43b675', number('e7', 0), ...blocks),
    ),
  ]);
}

/** A SimpleBlock, a keyframe. */
function block(milliseconds: number, ...units: readonly Buffer[]): Buffer[] {
  const header = Buffer.from([0x81, milliseconds >> 8, milliseconds & 0xff, 0x80]);
  return [element('a3', header, ...units)];
}

function number(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(value, 0, 6);
  return element(id, bytes);
}

function element(id: string, ...content: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(content);
  const length = Buffer.alloc(8);
  length.writeUInt32BE(payload.length, 4);
  length.writeUInt8(1, 0);
  return Buffer.concat([Buffer.from(id, 'hex'), length, payload]);
}

function sized(payload: Buffer, bytes: number): Buffer {
  const length = Buffer.alloc(bytes);
  length.writeUIntBE(payload.length, 0, bytes);
  return Buffer.concat([length, payload]);
}
