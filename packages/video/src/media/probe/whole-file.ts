import { type ReadAt, readBytes } from '../read-at.ts';
import { hasWholeSegment } from './ebml.ts';

type File = { readAt: ReadAt; sizeBytes: number };

/** Whether a file of a container has all bytes that its writer wrote, as far as they state it. */
export async function isWholeFile(container: string, file: File): Promise<boolean> {
  if (container.includes('matroska')) return hasWholeSegment(file);
  if (container === 'flv') return endsWithTag(file);
  return container === 'mp3' && (await hasStatedBytes(file));
}

/** Whether a tag of FLV ends the file: behind each is its size (Video File Format Specification 10.1, E.3). */
async function endsWithTag({ readAt, sizeBytes }: File): Promise<boolean> {
  const headerBytes = 11;
  if (sizeBytes < headerBytes + 4) return false;
  const size = viewOf(await readBytes(readAt, { offset: sizeBytes - 4, sizeBytes: 4 })).getUint32(0);
  const offset = sizeBytes - 4 - size;
  if (size < headerBytes || offset < 0) return false;
  const header = viewOf(await readBytes(readAt, { offset, sizeBytes: headerBytes }));
  return headerBytes + (header.getUint32(0) & 0xffffff) === size;
}

/** More than the side information of a frame has before the header. */
const frameBytes = 192;

/** Whether a file of MP3 has as many bytes as the header of Xing in its first frame states. */
async function hasStatedBytes({ readAt, sizeBytes }: File): Promise<boolean> {
  const tag = viewOf(await readAt(0, 10));
  const start = tag.byteLength === 10 && tag.getUint32(0) >>> 8 === 0x494433 ? 10 + id3Bytes(tag) : 0;
  if (start >= sizeBytes) return false;
  const frame = Buffer.from(await readAt(start, Math.min(frameBytes, sizeBytes - start)));
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'));
  const flags = at === -1 || at + 16 > frame.length ? 0 : frame.readUInt32BE(at + 4);
  const hasBytes = (flags & 2) !== 0;
  return hasBytes && start + frame.readUInt32BE(at + ((flags & 1) === 0 ? 8 : 12)) <= sizeBytes;
}

/** The size of an ID3v2 tag without its header: four times seven bits. */
function id3Bytes(tag: DataView): number {
  return [6, 7, 8, 9].reduce((size, at) => size * 128 + (tag.getUint8(at) & 0x7f), 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
