import { type Box, bytesOf, readBoxes } from '../../boxes.ts';
import { integer, writeBox, writeFullBox } from '../../write-box.ts';
import type { Subsample } from './subsamples.ts';

const headerBytes = 8;
const offsetBoxBytes = 20;

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
  const sizesBox = writeFullBox('saiz', {}, integer(0, 1), integer(entries.length, 4), sizes);
  const entriesBox = writeFullBox('senc', { flags: 2 }, integer(entries.length, 4), ...entries);
  const addedBytes = sizesBox.length + offsetBoxBytes + entriesBox.length;
  // The entries are the last bytes of the fragment, ahead of the data.
  const endBytes = movieFragment.byteLength + headerBytes + addedBytes;
  const entriesOffset = endBytes - sizes.reduce((sum, size) => sum + size, 0);
  const offsetBox = writeFullBox('saio', {}, integer(1, 4), integer(entriesOffset, 4));
  const boxes = readBoxes(movieFragment).map(({ type, content }) => {
    if (type !== 'traf') return writeBox(type, bytesOf(content));
    const moved = readBoxes(content).map((box) => moveData(box, addedBytes));
    return writeBox(type, ...moved, sizesBox, offsetBox, entriesBox);
  });
  return writeBox('moof', ...boxes);
}

function entryOf(subsamples: readonly Subsample[]): Uint8Array {
  const ranges = subsamples.flatMap(({ clearBytes, protectedBytes }) => [
    integer(clearBytes, 2),
    integer(protectedBytes, 4),
  ]);
  return Buffer.concat([integer(subsamples.length, 2), ...ranges]);
}

/** A box of a track fragment. A track run has the offset of its data, from the start of the `moof`. */
function moveData({ type, content }: Box, bytes: number): Uint8Array {
  if (type !== 'trun') return writeBox(type, bytesOf(content));
  const run = Buffer.from(bytesOf(content));
  if ((run.readUInt32BE(0) & 0x1) === 0) throw new RangeError('A track run has no offset of its data');
  run.writeInt32BE(run.readInt32BE(8) + bytes, 8);
  return writeBox(type, run);
}
