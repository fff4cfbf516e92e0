import { type ReadAt, readBytes, viewOf } from '../boxes.ts';
import { segmentEnd } from './ebml.ts';

type File = { readAt: ReadAt; sizeBytes: number };

/** Length of a packet of MPEG-TS, and its distance to the next one, before which M2TS has a time stamp. */
const packetBytes = 188;

const packetDistances = [188, 192, 204];

const pageHeaderBytes = 27;

/**
 * Whether a file ends within a packet of MPEG-TS or MPEG-PS or a page of Ogg, as an upload that broke off. None of them states the length
 * of the whole. A recorder of a live stream stops between packets.
 * @param end the last bytes of the file
 */
export function isCutOff(container: string, end: Buffer): boolean {
  if (container === 'mpegts') return endsWithinTransportPacket(end);
  if (container === 'mpeg') return endsWithinProgramPacket(end);
  return container === 'ogg' && endsWithinPage(end);
}

function endsWithinTransportPacket(end: Buffer): boolean {
  const last = packetDistances.map((distance) => {
    const isPacket = (at: number) => [0, 1, 2, 3].every((before) => end[at - before * distance] === 0x47);
    for (let at = end.length - 1; at >= Math.max(0, end.length - distance); at -= 1) if (isPacket(at)) return at;
    return undefined;
  });
  const found = last.filter((at) => at !== undefined);
  return found.length > 0 && found.every((at) => end.length - at < packetBytes);
}

/**
 * Walks from pack to pack (ISO/IEC 13818-1, 2.5.3): quiet PCM, as on a DVD, has start codes in its samples. What is no packet,
 * such as zeros at the end, is skipped.
 */
function endsWithinProgramPacket(end: Buffer): boolean {
  let at = end.indexOf(packStartCode);
  while (at !== -1 && at + 4 <= end.length) {
    const bytes = programPacketBytes(end.subarray(at));
    at = bytes === 0 ? end.indexOf(packStartCode, at + 1) : at + bytes;
  }
  return at > end.length;
}

const packStartCode = Buffer.from([0, 0, 1, 0xba]);

/** The length of the pack header or the packet that begins here, at least that of its fields; 0 for neither. */
function programPacketBytes(bytes: Buffer): number {
  const id = bytes.readUInt32BE(0);
  if (id === 0x1b9) return 4;
  if (id === 0x1ba && bytes.length >= 14 && bytes.readUInt8(4) >> 6 === 1) return 14 + (bytes.readUInt8(13) & 7);
  if (id === 0x1ba) return 12;
  if (id < 0x1bb || id > 0x1ff) return 0;
  return bytes.length < 6 ? 6 : 6 + bytes.readUInt16BE(4);
}

/** RFC 3533, section 6: a packet ends with a segment of less than 255 bytes. Dumps of live streams lack the flag of the last page. */
function endsWithinPage(end: Buffer): boolean {
  const at = end.lastIndexOf('OggS');
  if (at === -1) return false;
  const tableAt = at + pageHeaderBytes;
  if (tableAt > end.length) return true;
  const table = end.subarray(tableAt, tableAt + end.readUInt8(tableAt - 1));
  const page = tableAt + table.length + table.reduce((sum, bytes) => sum + bytes, 0);
  return table.length < end.readUInt8(tableAt - 1) || page > end.length || table.at(-1) === 255;
}

/** Whether a file of a container has all bytes that its writer wrote, as far as they state it. */
export async function isWholeFile(container: string, file: File): Promise<boolean> {
  if (container.includes('matroska')) {
    const end = await segmentEnd(file);
    return end > 0 && end <= file.sizeBytes;
  }
  if (container === 'flv') return endsWithTag(file);
  if (container === 'wav') return isPiped(file);
  return container === 'mp3' && (await hasStatedBytes(file));
}

/** Whether a WAV was written to a pipe: it states the largest size, signed or not, less that of some headers. */
async function isPiped({ readAt }: File): Promise<boolean> {
  const header = Buffer.from(await readAt(0, 8));
  if (header.length < 8 || header.toString('latin1', 0, 4) !== 'RIFF') return false;
  const size = header.readUInt32LE(4);
  return Math.abs(size - 2 ** 31) < 2 ** 16 || size > 2 ** 32 - 2 ** 16;
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
