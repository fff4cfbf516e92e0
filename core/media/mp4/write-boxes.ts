/** Writes boxes of ISO/IEC 14496-12. All integers are big-endian. */

/** A box with its header. */
export function box(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const size = 8 + content.reduce((sum, { length }) => sum + length, 0);
  return concatBytes([integers(size), characters(type), ...content]);
}

/** A box whose content starts with a version and flags of 0. */
export function fullBox(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  return box(type, integers(0), ...content);
}

/** The header of a box whose content of so many bytes is written elsewhere. */
export function boxHeader(type: string, contentBytes: number): Uint8Array {
  if (contentBytes + 8 < 2 ** 32) return concatBytes([integers(contentBytes + 8), characters(type)]);
  return concatBytes([integers(1), characters(type), longIntegers([contentBytes + 16])]);
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
  for (let index = 0; index < values.length; index += 1)
    view.setBigInt64(8 * index, BigInt(values[index] ?? 0));
  return bytesOf(view);
}

export function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A copy that can be changed. */
export function copyOf(view: DataView): DataView<ArrayBuffer> {
  return new DataView(bytesOf(view).slice().buffer);
}

export function concatBytes(lists: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(lists.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const bytes of lists) {
    joined.set(bytes, offset);
    offset += bytes.length;
  }
  return joined;
}

function characters(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
