import { type Box, bytesOf, readBoxes } from '../../boxes.ts';
import { box, fullBox, integer, integers, replaceContent } from '../../write-boxes.ts';
import type { Pattern } from './encrypt-blocks.ts';

/** What an initialization section states about the encryption of its track. */
export type TrackEncryption = {
  /** 16 bytes each. */
  keyId: Uint8Array;
  iv: Uint8Array;
  /** Of a video; left out for audio, whose blocks are all encrypted. */
  pattern?: Pattern | undefined;
};

const sampleDescriptions = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];

// Version and flags, and the number of entries.
const listHeaderBytes = 8;

/** An initialization section of one track whose samples are encrypted by `cbcs` (ISO/IEC 23001-7, section 4.1). */
export function protectInit(init: DataView, encryption: TrackEncryption): Uint8Array {
  return replaceContent(init, sampleDescriptions, (list) => {
    const entries = readBoxes(list, listHeaderBytes).map((entry) => protectedEntry(entry, encryption));
    return Buffer.concat([bytesOf(list).subarray(0, listHeaderBytes), ...entries]);
  });
}

/** A sample entry with the name of an encrypted one, which keeps its own name in `frma` (ISO/IEC 14496-12, section 8.12). */
function protectedEntry({ type, content }: Box, encryption: TrackEncryption): Uint8Array {
  const scheme = [
    box('frma', Buffer.from(type)),
    fullBox('schm', Buffer.from('cbcs'), integers(0x1_00_00)),
    box('schi', trackEncryption(encryption)),
  ];
  const name = encryption.pattern === undefined ? 'enca' : 'encv';
  return box(name, bytesOf(content), box('sinf', ...scheme));
}

// The version of `tenc` that has a pattern.
const versionOne = 0x01_00_00_00;

/** ISO/IEC 23001-7, section 8.2. */
function trackEncryption({ keyId, iv, pattern }: TrackEncryption): Uint8Array {
  const { encryptedBlocks, clearBlocks } = pattern ?? { encryptedBlocks: 0, clearBlocks: 0 };
  return box(
    'tenc',
    integers(versionOne),
    integer(0, 1),
    integer(encryptedBlocks * 16 + clearBlocks, 1),
    // The track is encrypted, and all its samples have the vector that follows.
    integer(1, 1),
    integer(0, 1),
    keyId,
    integer(iv.length, 1),
    iv,
  );
}
