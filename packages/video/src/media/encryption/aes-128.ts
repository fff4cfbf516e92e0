import { createCipheriv } from 'node:crypto';
import type { ReadAt } from '../boxes.ts';
import type { Segment } from '../playlists/segment-rates.ts';

/**
 * AES-128 of HLS: each segment is encrypted whole, by CBC with PKCS #7 padding (RFC 8216, section 4.3.2.4). Ahead of each
 * segment is a block with its initialization vector. A player that decrypts a keyframe begins with the block before its
 * range, wherever in the segment the keyframe is (section 6.3.6).
 */

const blockBytes = 16;

const maxReadBytes = 4 * 2 ** 20;

type ByteRange = Pick<Segment, 'offset' | 'sizeBytes'>;

export type ClearFile = {
  /** Bytes at the start of the file that stay clear: an initialization section. */
  clearBytes: number;
  segments: readonly Segment[];
};

/** 16 bytes each. */
export type SegmentCipher = {
  key: Uint8Array;
  /** If undefined, the vector of each segment is its number, from 0. */
  iv: Uint8Array | undefined;
};

/** Maps byte ranges of the clear file to the encrypted one. */
export type EncryptedLayout = {
  /** Each starts at a multiple of 16 bytes. */
  segments: Segment[];
  /** As long as before: a player widens a range to whole blocks. @throws RangeError for one outside of the segments */
  rangeOf<Range extends ByteRange>(range: Range): Range;
};

export function encryptedLayout({ clearBytes, segments }: ClearFile): EncryptedLayout {
  let end = clearBytes + fillBytes(clearBytes);
  const encrypted = segments.map(({ sizeBytes: clearSize, seconds }) => {
    const offset = end + blockBytes;
    const sizeBytes = clearSize + fillBytes(clearSize, { always: true });
    end = offset + sizeBytes;
    return { offset, sizeBytes, seconds };
  });
  return {
    segments: encrypted,
    rangeOf(range) {
      const index = segments.findLastIndex(({ offset }) => offset <= range.offset);
      const [from, to] = [segments[index], encrypted[index]];
      if (!from || !to || range.offset + range.sizeBytes > from.offset + from.sizeBytes) {
        throw new RangeError(`No segment has the ${range.sizeBytes} bytes from ${range.offset}`);
      }
      return { ...range, offset: to.offset + range.offset - from.offset };
    },
  };
}

export async function* encryptSegments(
  readAt: ReadAt,
  { clearBytes, segments }: ClearFile,
  { key, iv }: SegmentCipher,
): AsyncGenerator<Uint8Array> {
  yield* readRange(readAt, { offset: 0, sizeBytes: clearBytes });
  yield new Uint8Array(fillBytes(clearBytes));
  for (const [number, segment] of segments.entries()) {
    const vector = iv ?? sequenceVector(number);
    yield vector;
    const cipher = createCipheriv('aes-128-cbc', key, vector);
    for await (const bytes of readRange(readAt, segment)) yield cipher.update(bytes);
    yield cipher.final();
  }
}

/** The media sequence number as 128 bits, big-endian (section 5.2). */
function sequenceVector(number: number): Uint8Array {
  const vector = Buffer.alloc(blockBytes);
  vector.writeUInt32BE(number, blockBytes - 4);
  return vector;
}

/** Bytes up to the next whole block; PKCS #7 always pads. */
function fillBytes(sizeBytes: number, { always = false } = {}): number {
  const bytes = blockBytes - (sizeBytes % blockBytes);
  return bytes === blockBytes && !always ? 0 : bytes;
}

async function* readRange(readAt: ReadAt, { offset, sizeBytes }: ByteRange): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < sizeBytes; ) {
    const bytes = await readAt(offset + done, Math.min(maxReadBytes, sizeBytes - done));
    if (bytes.length === 0) throw new RangeError('The file ends before its last segment');
    yield bytes;
    done += bytes.length;
  }
}

/** How the files of an adaptive stream are encrypted, as its request and its playlists say. The content key is not part of it. */
export type StreamEncryption = {
  scheme: 'aes-128';
  /** Where players load the content key. This service never opens it. */
  keyUri: string;
  /** 32 hexadecimal digits. Without it, the vector of each segment is its media sequence number. */
  iv?: string | undefined;
};
