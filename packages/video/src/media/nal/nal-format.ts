import { bytesOf, readBoxes } from '../boxes.ts';
import { configurationOf, sampleEntryOf } from '../fragments/sample-entry.ts';

/** How the samples of a video are made of NAL units. */
export type NalFormat = {
  /** Of the length ahead of each unit. */
  lengthBytes: number;
  /** Of the header of each unit. */
  headerBytes: number;
  /** Whether a unit holds supplemental enhancement information ahead of its frame. */
  isSei(unit: Uint8Array): boolean;
};

const avcSei = 6;
const hevcSei = 39;

/**
 * How the samples of a track are made of NAL units, by its initialization section. Undefined for audio.
 * @throws RangeError for a codec without NAL units
 */
export function nalFormatOf(init: DataView): NalFormat | undefined {
  const entry = sampleEntryOf(readBoxes(init));
  // The byte of a decoder configuration whose last two bits state how long the lengths are (ISO/IEC 14496-15, sections
  // 5.3.3.1.2 and 8.3.3.1.2).
  const lengthBytes = (name: 'avcC' | 'hvcC', at: number) =>
    ((bytesOf(configurationOf(entry, name, 'video'))[at] ?? 0) & 0x3) + 1;
  switch (entry.type) {
    case 'mp4a':
      return undefined;
    case 'avc1':
      return {
        lengthBytes: lengthBytes('avcC', 4),
        headerBytes: 1,
        isSei: ([header = 0]) => (header & 0x1f) === avcSei,
      };
    case 'hvc1':
      return {
        lengthBytes: lengthBytes('hvcC', 21),
        headerBytes: 2,
        isSei: ([header = 0]) => ((header >> 1) & 0x3f) === hevcSei,
      };
    default:
      throw new RangeError(`The samples of ${entry.type} have no NAL units`);
  }
}
