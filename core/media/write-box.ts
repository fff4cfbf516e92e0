const headerBytes = 8;

/** A box of an ISO base media file, below 4 GiB. */
export function writeBox(type: string, ...content: readonly Uint8Array[]): Uint8Array {
  const size = headerBytes + content.reduce((sum, { length }) => sum + length, 0);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(size);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...content]);
}

/** A box with a version and flags (ISO/IEC 14496-12, section 4.2). */
export function writeFullBox(
  type: string,
  { version = 0, flags = 0 }: { version?: number; flags?: number },
  ...content: readonly Uint8Array[]
): Uint8Array {
  return writeBox(type, integer(version * 2 ** 24 + flags, 4), ...content);
}

/** A big-endian unsigned integer. */
export function integer(value: number, bytes: 1 | 2 | 4): Uint8Array {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
