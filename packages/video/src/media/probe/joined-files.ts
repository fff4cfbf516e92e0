import type { ReadAt } from '../boxes.ts';
import { elementIn, headerId } from './ebml.ts';
import { describeJoined } from './measured-duration.ts';

/** How a container divides a file into chunks. */
type Layout = {
  /** Bytes at the start of a chunk that the functions read. */
  headerBytes: number;
  beginsFile(header: Buffer): boolean;
  /** Where the next chunk begins, from the start of this one; NaN if this is none. */
  sizeOf(header: Buffer): number;
};

/** WAV and AVI. Later parts of an AVI have the form `AVIX`; a large WAV has its size in `ds64` (EBU Tech 3306). */
const riff: Layout = {
  headerBytes: 28,
  beginsFile: (header) => /^(?:RIFF|RF64)....(?!AVIX)/s.test(textOf(header, 12)),
  sizeOf(header) {
    if (!/^(?:RIFF|RF64)/.test(textOf(header, 12))) return Number.NaN;
    const size = header.readUInt32LE(4);
    const isLong = size === 0xffffffff && textOf(header, 16).endsWith('ds64');
    return even(8 + (isLong ? Number(header.readBigUInt64LE(20)) : size));
  },
};

const aiff: Layout = {
  headerBytes: 12,
  beginsFile: (header) => /^FORM....AIF/s.test(textOf(header, 12)),
  sizeOf: (header) => (aiff.beginsFile(header) ? even(8 + header.readUInt32BE(4)) : Number.NaN),
};

const caf: Layout = {
  headerBytes: 12,
  beginsFile: (header) => textOf(header, 6) === 'caff\0\x01',
  // The size of a recording that was not finished is -1.
  sizeOf: (header) => (caf.beginsFile(header) ? 8 : 12 + Number(header.readBigUInt64BE(4))),
};

/** WavPack: blocks, each with the number of its first sample, and a tag. Further channels of a sample have further blocks. */
const wavpack: Layout = {
  headerBytes: 32,
  beginsFile: (header) =>
    textOf(header, 4) === 'wvpk' && header.readUInt32LE(16) === 0 && (header.readUInt32LE(24) & 0x800) > 0,
  sizeOf(header) {
    if (textOf(header, 8) === 'APETAGEX') return 32 + header.readUInt32LE(12);
    return textOf(header, 4) === 'wvpk' ? 8 + header.readUInt32LE(4) : Number.NaN;
  },
};

/** WMV and WMA: objects with a GUID. The size of the packets of a live stream is 0. */
const asf: Layout = {
  headerBytes: 24,
  beginsFile: (header) => header.toString('hex', 0, 16) === '3026b2758e66cf11a6d900aa0062ce6c',
  sizeOf: (header) => Number(header.readBigUInt64LE(16)) || Number.NaN,
};

/** MXF (SMPTE ST 377-1): keys of 16 bytes, lengths and values. The header of a finished file states where its footer begins. */
const mxf: Layout = {
  headerBytes: 57,
  beginsFile: (header) => header.toString('hex', 0, 14) === '060e2b34020501010d0102010102',
  sizeOf(header) {
    const first = header.readUInt8(16);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (header.readUInt32BE(0) !== 0x060e2b34 || lengthBytes > 8) return Number.NaN;
    const valueAt = 17 + lengthBytes;
    const footerAt = mxf.beginsFile(header) ? Number(header.readBigUInt64BE(valueAt + 24)) : 0;
    const length = lengthBytes === 0 ? first : Number(`0x${header.toString('hex', 17, valueAt)}`);
    return footerAt || valueAt + length;
  },
};

/** FLV: the header, then tags, each with its size behind it. */
const flv: Layout = {
  headerBytes: 13,
  beginsFile: (header) => textOf(header, 4) === 'FLV\x01',
  sizeOf: (header) => (flv.beginsFile(header) ? header.readUInt32BE(5) + 4 : 15 + header.readUIntBE(1, 3)),
};

/** Matroska and WebM: the header, then a segment, whose end may be unknown. */
const matroska: Layout = {
  headerBytes: 16,
  beginsFile: (header) => elementIn(header, anywhere)?.id === headerId,
  sizeOf: (header) => elementIn(header, anywhere)?.end ?? Number.NaN,
};

const anywhere = { start: 0, end: Number.POSITIVE_INFINITY };

/** By ffprobe's name of the container. */
const layouts: Partial<Record<string, Layout>> = {
  wav: riff,
  avi: riff,
  aiff,
  caf,
  wv: wavpack,
  asf,
  mxf,
  flv,
  'matroska,webm': matroska,
};

/**
 * Half an hour of tags of FLV, whose walk reads the file. The times of packets tell whether a later one begins again. Of a remote
 * file, each may take a request.
 */
const maxChunks = { local: 200_000, remote: 1000 };

/** Why a file is several files one behind the other: the header of another one is where the first ends by its lengths. */
export async function describeJoinedFiles(
  container: string,
  { readAt, sizeBytes, isRemote }: { readAt: ReadAt; sizeBytes: number; isRemote: boolean },
): Promise<string | undefined> {
  const layout = layouts[container];
  if (layout === undefined) return undefined;
  const { headerBytes, beginsFile, sizeOf } = layout;
  let at = 0;
  for (let count = 0; count < maxChunks[isRemote ? 'remote' : 'local']; count += 1) {
    // NaN and infinity end the walk, too.
    if (!(at + headerBytes <= sizeBytes)) return undefined;
    const header = Buffer.from(await readAt(at, headerBytes));
    if (header.length < headerBytes) return undefined;
    if (at > 0 && beginsFile(header)) return describeJoined(`byte ${at} begins another one`);
    at += sizeOf(header);
  }
  return undefined;
}

function textOf(header: Buffer, length: number): string {
  return header.toString('latin1', 0, length);
}

function even(bytes: number): number {
  return bytes + (bytes % 2);
}
