import { inflateSync } from 'node:zlib';

/** Longer than any real profile. */
const maxProfileBytes = 4_000_000;

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The ICC profile in the first bytes of a PNG. Undefined if there is none, or the file is no PNG. */
export function readPngProfile(bytes: Uint8Array): Uint8Array | undefined {
  if (!signature.every((value, index) => bytes[index] === value)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = signature.length; offset + 8 <= bytes.length; ) {
    const length = view.getUint32(offset);
    const content = bytes.subarray(offset + 8, offset + 8 + length);
    const type = new TextDecoder('latin1').decode(bytes.subarray(offset + 4, offset + 8));
    if (type === 'IDAT' || content.length < length) return undefined;
    if (type === 'iCCP') return inflate(content.subarray(content.indexOf(0) + 2));
    offset += 12 + length;
  }
  return undefined;
}

function inflate(compressed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(compressed, { maxOutputLength: maxProfileBytes });
  } catch {
    return undefined; // Damaged, or too long.
  }
}
