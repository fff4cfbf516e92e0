import { bytesOf, readBoxes } from './boxes.ts';

/** Writes boxes of ISO/IEC 14496-12. All integers are big-endian. */

export function box(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const size = 8 + content.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([integers(size), Buffer.from(type, 'latin1'), ...content]);
}

/** A box whose content starts with a version and flags of 0. */
export function fullBox(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  return box(type, integers(0), ...content);
}

/** The header of a box whose content of so many bytes is written elsewhere. */
export function boxHeader(type: string, contentBytes: number): Uint8Array {
  if (contentBytes + 8 < 2 ** 32) return Buffer.concat([integers(contentBytes + 8), Buffer.from(type, 'latin1')]);
  return Buffer.concat([integers(1), Buffer.from(type, 'latin1'), longIntegers([contentBytes + 16])]);
}

export function integer(value: number, bytes: 1 | 2): Uint8Array {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/** Unsigned or negative integers of 32 bits. */
export function integers(...values: readonly number[]): Uint8Array {
  return integerTable(values.length, (index) => values[index] ?? 0);
}

/** `count` integers of 32 bits. */
export function integerTable(count: number, valueAt: (index: number) => number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * count));
  for (let index = 0; index < count; index += 1) view.setUint32(4 * index, valueAt(index));
  return bytesOf(view);
}

/** Integers of 64 bits. */
export function longIntegers(values: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  for (let index = 0; index < values.length; index += 1) view.setBigInt64(8 * index, BigInt(values[index] ?? 0));
  return bytesOf(view);
}

export function copyOf(view: DataView): DataView<ArrayBuffer> {
  return new DataView(bytesOf(view).slice().buffer);
}

/** The boxes with the content of the one at a path replaced. */
export function replaceContent(
  boxes: DataView,
  [next, ...path]: readonly string[],
  replace: (content: DataView) => Uint8Array,
): Uint8Array {
  const written = readBoxes(boxes).map(({ type, content }) => {
    if (type !== next) return box(type, bytesOf(content));
    return box(type, path.length === 0 ? replace(content) : replaceContent(content, path, replace));
  });
  return Buffer.concat(written);
}
