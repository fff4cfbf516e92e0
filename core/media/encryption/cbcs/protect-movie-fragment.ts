import { type Box, bytesOf, readBoxes } from '../../boxes.ts';
import { box, fullBox, integer, integers } from '../../write-boxes.ts';
import type { Subsample } from './subsamples.ts';

const headerBytes = 8;
const offsetBoxBytes = 20;

// Flag of `senc`: its entries state subsamples (section 7.2.2).
const hasSubsamples = 0x2;

// A field of eight bits states the size of the entry of a sample.
const maxEntryBytes = 255;

/**
 * A `moof` that states the subsamples of each of its samples (ISO/IEC 23001-7, section 7).
 * @param movieFragment the content of a `moof` with one track
 * @throws RangeError for a sample of more than 42 subsamples
 */
export function protectMovieFragment(
  movieFragment: DataView,
  samples: readonly (readonly Subsample[])[],
): Uint8Array {
  const entries = samples.map(entryOf);
  const tooLong = entries.find(({ length }) => length > maxEntryBytes);
  if (tooLong) throw new RangeError('A frame has more slices than its encryption can state');
  const sizes = Buffer.from(entries.map(({ length }) => length));
  const sizesBox = fullBox('saiz', integer(0, 1), integers(entries.length), sizes);
  const entriesBox = box('senc', integers(hasSubsamples, entries.length), ...entries);
  const addedBytes = sizesBox.length + offsetBoxBytes + entriesBox.length;
  // The entries are the last bytes of the fragment, ahead of the data.
  const endBytes = movieFragment.byteLength + headerBytes + addedBytes;
  const entriesOffset = endBytes - sizes.reduce((sum, size) => sum + size, 0);
  const offsetBox = fullBox('saio', integers(1, entriesOffset));
  const boxes = readBoxes(movieFragment).map(({ type, content }) => {
    if (type !== 'traf') return box(type, bytesOf(content));
    const moved = readBoxes(content).map((each) => moveData(each, addedBytes));
    return box(type, ...moved, sizesBox, offsetBox, entriesBox);
  });
  return box('moof', ...boxes);
}

function entryOf(subsamples: readonly Subsample[]): Uint8Array {
  const ranges = subsamples.flatMap(({ clearBytes, protectedBytes }) => [
    integer(clearBytes, 2),
    integers(protectedBytes),
  ]);
  return Buffer.concat([integer(subsamples.length, 2), ...ranges]);
}

/** A box of a track fragment. A track run has the offset of its data, from the start of the `moof`. */
function moveData({ type, content }: Box, bytes: number): Uint8Array {
  if (type !== 'trun') return box(type, bytesOf(content));
  const run = Buffer.from(bytesOf(content));
  if ((run.readUInt32BE(0) & 0x1) === 0) throw new RangeError('A track run has no offset of its data');
  run.writeInt32BE(run.readInt32BE(8) + bytes, 8);
  return box(type, run);
}
