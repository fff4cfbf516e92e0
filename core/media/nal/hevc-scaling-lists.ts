import type { NalReader } from './nal-reader.ts';

/** Reads past the scaling lists of a parameter set (ISO/IEC 23008-2, section 7.3.4). */
export function skipScalingLists(reader: NalReader): void {
  for (let size = 0; size < 4; size += 1) {
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (!reader.flag()) {
        reader.unsigned();
        continue;
      }
      const coefficients = Math.min(64, 2 ** (4 + 2 * size));
      for (let left = coefficients + (size > 1 ? 1 : 0); left > 0; left -= 1) reader.signed();
    }
  }
}
