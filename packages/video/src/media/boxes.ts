export type Box = { type: string; content: DataView };

/** The boxes one after the other from an offset. Stops at a box that is not whole. */
export function readBoxes(view: DataView, from = 0): Box[] {
  const boxes: Box[] = [];
  for (let offset = from; offset + 8 <= view.byteLength; ) {
    const short = view.getUint32(offset);
    const isLong = short === 1;
    if (isLong && offset + 16 > view.byteLength) break;
    const size = isLong ? Number(view.getBigUint64(offset + 8)) : short || view.byteLength - offset;
    const header = isLong ? 16 : 8;
    if (size < header || offset + size > view.byteLength) break;
    boxes.push({
      type: fourCharacters(view, offset + 4),
      content: part(view, offset + header, size - header),
    });
    offset += size;
  }
  return boxes;
}

export function findBox(boxes: readonly Box[], type: string): DataView | undefined {
  return boxes.find((box) => box.type === type)?.content;
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
