import { type HevcPps, readHevcPps } from './hevc-pps.ts';
import { hevcSliceHeaderBytes, hevcUnitType, isHevcSlice } from './hevc-slice-header.ts';
import { type HevcSps, readHevcSps } from './hevc-sps.ts';
import type { NalFormat } from './nal-format.ts';
import { nalReader } from './nal-reader.ts';

const spsType = 33;
const ppsType = 34;
const seiType = 39;
const unitHeaderBytes = 2;
const fieldBytes = 22;

/** The format that an `hvcC` states (ISO/IEC 14496-15, section 8.3.3.1.2). */
export function hevcFormat(configuration: Uint8Array): NalFormat {
  const spsById = new Map<number, HevcSps>();
  const ppsById = new Map<number, HevcPps>();
  const addParameterSet = (unit: Uint8Array) => {
    const type = hevcUnitType(unit);
    const reader = nalReader(unit, unitHeaderBytes);
    if (type === spsType) {
      const { id, ...sps } = readHevcSps(reader);
      spsById.set(id, sps);
    } else if (type === ppsType) {
      const { id, ...pps } = readHevcPps(reader, spsById);
      ppsById.set(id, pps);
    }
  };
  let offset = fieldBytes;
  const byte = () => configuration[offset++] ?? 0;
  for (let arrays = byte(); arrays > 0; arrays -= 1) {
    byte();
    for (let units = byte() * 256 + byte(); units > 0; units -= 1) {
      const length = byte() * 256 + byte();
      addParameterSet(configuration.subarray(offset, offset + length));
      offset += length;
    }
  }
  return {
    lengthBytes: ((configuration[fieldBytes - 1] ?? 0) & 0x3) + 1,
    headerBytes: unitHeaderBytes,
    isSei: (unit) => hevcUnitType(unit) === seiType,
    clearBytes(unit) {
      if (isHevcSlice(unit)) return hevcSliceHeaderBytes(unit, ppsById);
      addParameterSet(unit);
      return unit.length;
    },
  };
}
