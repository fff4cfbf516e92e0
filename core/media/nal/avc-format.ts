import { type AvcParameterSets, addAvcParameterSet } from './avc-parameter-sets.ts';
import { avcSliceHeaderBytes, avcSliceTypes } from './avc-slice-header.ts';
import type { NalFormat } from './nal-format.ts';

const seiType = 6;

/** The format that an `avcC` states (ISO/IEC 14496-15, section 5.3.3.1.2). */
export function avcFormat(configuration: Uint8Array): NalFormat {
  const sets: AvcParameterSets = { spsById: new Map(), ppsById: new Map() };
  let offset = 5;
  const byte = () => configuration[offset++] ?? 0;
  for (const mask of [0x1f, 0xff]) {
    for (let left = byte() & mask; left > 0; left -= 1) {
      const length = byte() * 256 + byte();
      addAvcParameterSet(sets, configuration.subarray(offset, offset + length));
      offset += length;
    }
  }
  return {
    lengthBytes: ((configuration[4] ?? 0) & 0x3) + 1,
    headerBytes: 1,
    isSei: (unit) => ((unit[0] ?? 0) & 0x1f) === seiType,
    clearBytes(unit) {
      const type = (unit[0] ?? 0) & 0x1f;
      if (avcSliceTypes.includes(type)) return avcSliceHeaderBytes(unit, sets.ppsById);
      addAvcParameterSet(sets, unit);
      return unit.length;
    },
  };
}
