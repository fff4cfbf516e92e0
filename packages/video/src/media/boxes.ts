export type Box = { type: string; content: DataView };

/** More than any real file has beside each other. A hostile one may consist of nothing but empty boxes. */
const maxBoxes = 10_000;

/** The boxes one after the other from an offset. Stops at a box that is not whole. */
export function readBoxes(view: DataView, from = 0): Box[] {
  const boxes: Box[] = [];
  for (let offset = from; offset + 8 <= view.byteLength && boxes.length < maxBoxes; ) {
    const header = headerOf(view, offset, view.byteLength - offset);
    if (header === undefined || offset + header.sizeBytes > view.byteLength) break;
    const { type, headerBytes, sizeBytes } = header;
    boxes.push({ type, content: part(view, offset + headerBytes, sizeBytes - headerBytes) });
    offset += sizeBytes;
  }
  return boxes;
}

/** The header of the box at an offset, of which a view has at least eight bytes. A box without a size has the `rest`. */
export function headerOf(
  view: DataView,
  offset: number,
  rest: number,
): { type: string; headerBytes: number; sizeBytes: number } | undefined {
  const short = view.getUint32(offset);
  const headerBytes = short === 1 ? 16 : 8;
  if (offset + headerBytes > view.byteLength) return undefined;
  const sizeBytes = short === 1 ? Number(view.getBigUint64(offset + 8)) : short || rest;
  return sizeBytes < headerBytes ? undefined : { type: fourCharacters(view, offset + 4), headerBytes, sizeBytes };
}

export function findBox(boxes: readonly Box[], type: string): DataView | undefined {
  return boxes.find((box) => box.type === type)?.content;
}

/** The content of the box at a path. Undefined if one of its boxes is missing, or there more than once. */
export function boxAt(boxes: DataView, ...path: readonly string[]): DataView | undefined {
  return path.reduce<DataView | undefined>((parent, type) => {
    const found = parent ? readBoxes(parent).filter((box) => box.type === type) : [];
    return found.length === 1 ? found[0]?.content : undefined;
  }, boxes);
}

/** @throws RangeError if there is no such box */
export function requireBox(boxes: readonly Box[], type: string): DataView {
  const content = findBox(boxes, type);
  if (content === undefined) throw new RangeError(`A file in fragments has no ${type}`);
  return content;
}

/** A box of ISO/IEC 14496-12. All integers are big-endian. */
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
  return integerTable(values);
}

/** Any number of them: more than a function takes arguments. */
export function integerTable(values: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (let index = 0; index < values.length; index += 1) view.setUint32(4 * index, values[index] ?? 0);
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

export function fourCharacters(view: DataView, offset: number): string {
  return String.fromCharCode(...Array.from({ length: 4 }, (_, index) => view.getUint8(offset + index)));
}

export function part(view: DataView, offset: number, length = view.byteLength - offset): DataView {
  return new DataView(view.buffer, view.byteOffset + offset, length);
}

/** A view of bytes, without a copy. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The bytes of a view, without a copy. */
export function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function integerReader(view: DataView, from = 0): (bytes: number) => number {
  let offset = from;
  return (bytes) => {
    let value = 0;
    for (let index = 0; index < bytes; index++) value = value * 256 + view.getUint8(offset + index);
    offset += bytes;
    return value;
  };
}

/** Reads `length` bytes of a file from `offset`, fewer at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/** Reads all bytes of a range. @throws RangeError if the file ends before */
export async function readBytes(
  readAt: ReadAt,
  { offset, sizeBytes }: { offset: number; sizeBytes: number },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeBytes);
  for (let done = 0; done < sizeBytes; ) {
    const read = await readAt(offset + done, sizeBytes - done);
    if (read.length === 0) throw new RangeError(`The file ends before byte ${offset + sizeBytes}`);
    bytes.set(read, done);
    done += read.length;
  }
  return bytes;
}

const blockBytes = 256 * 1024;

const keptBlocks = 8;

/** Reads in blocks of 256 KiB and keeps the last: small reads near each other are one request, a longer one its own. */
export function readInBlocks(readAt: ReadAt): ReadAt {
  const blocks = new Map<number, Promise<Uint8Array>>();
  const blockAt = (index: number) => {
    const block = blocks.get(index) ?? readAt(index * blockBytes, blockBytes);
    // The last block of the map is the one that was used last.
    blocks.delete(index);
    blocks.set(index, block);
    for (const oldest of blocks.keys()) if (blocks.size > keptBlocks) blocks.delete(oldest);
    return block;
  };
  return async (offset, length) => {
    if (length > blockBytes) return readAt(offset, length);
    const first = Math.floor(offset / blockBytes);
    const from = offset - first * blockBytes;
    const block = await blockAt(first);
    if (from + length <= blockBytes) return block.subarray(from, from + length);
    const next = await blockAt(first + 1);
    const bytes = new Uint8Array(Math.max(0, block.length - from) + Math.min(next.length, from + length - blockBytes));
    bytes.set(block.subarray(from));
    bytes.set(next.subarray(0, from + length - blockBytes), Math.max(0, block.length - from));
    return bytes;
  };
}
