import { bytesOf, readBoxes } from '../boxes.ts';
import { configurationOf, sampleEntryOf } from '../fragments/sample-entry.ts';
import { avcFormat } from './avc-format.ts';
import { hevcFormat } from './hevc-format.ts';
import type { NalFormat } from './nal-format.ts';

/**
 * How the samples of a track are made of NAL units, by its initialization section. Undefined for audio.
 * @throws RangeError for a codec whose frames cannot be split
 */
export function nalFormatOf(init: DataView): NalFormat | undefined {
  const entry = sampleEntryOf(readBoxes(init));
  switch (entry.type) {
    case 'mp4a':
      return undefined;
    case 'avc1':
      return avcFormat(bytesOf(configurationOf(entry, 'avcC', 'video')));
    case 'hvc1':
      return hevcFormat(bytesOf(configurationOf(entry, 'hvcC', 'video')));
    default:
      throw new RangeError(`The samples of ${entry.type} cannot be encrypted`);
  }
}
