import { bytesOf, viewOf } from '../boxes.ts';
import { copyOf, replaceContent } from '../write-boxes.ts';

const longVersion = 1;

/**
 * An initialization section whose track is shown from `mediaTime` on, in its ticks.
 * @param init `ftyp` and `moov` with an edit list, whose last edit is the one of the media
 */
export function withMediaTime(init: Uint8Array, mediaTime: number): Uint8Array {
  return replaceContent(viewOf(init), ['moov', 'trak', 'edts', 'elst'], (list) => {
    const changed = copyOf(list);
    const end = changed.byteLength;
    // A duration, the media time and a rate of 4 bytes.
    if (changed.getUint8(0) === longVersion) changed.setBigInt64(end - 12, BigInt(mediaTime));
    else changed.setInt32(end - 8, mediaTime);
    return bytesOf(changed);
  });
}
