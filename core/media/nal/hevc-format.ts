import { type HevcFrameSet, readHevcFrameSet } from './hevc-frame-set.ts';
import { type HevcSequence, readHevcSequence } from './hevc-sequence.ts';
import { hevcSliceHeaderBytes, hevcUnitType, isHevcSlice } from './hevc-slice-header.ts';
import type { NalFormat } from './nal-format.ts';
import { nalReader } from './nal-reader.ts';

const sequenceType = 33;
const frameSetType = 34;
const supplementType = 39;
const unitHeaderBytes = 2;
const fieldBytes = 22;

/** The format that an `hvcC` states (ISO/IEC 14496-15, section 8.3.3.1.2). */
export function hevcFormat(configuration: Uint8Array): NalFormat {
  const sequences = new Map<number, HevcSequence>();
  const frameSets = new Map<number, HevcFrameSet>();
  const addParameterSet = (unit: Uint8Array) => {
    const type = hevcUnitType(unit);
    const reader = nalReader(unit, unitHeaderBytes);
    if (type === sequenceType) {
      const { id, ...sequence } = readHevcSequence(reader);
      sequences.set(id, sequence);
    } else if (type === frameSetType) {
      const { id, ...frameSet } = readHevcFrameSet(reader, sequences);
      frameSets.set(id, frameSet);
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
    isSupplement: (unit) => hevcUnitType(unit) === supplementType,
    clearBytes(unit) {
      if (isHevcSlice(unit)) return hevcSliceHeaderBytes(unit, frameSets);
      addParameterSet(unit);
      return unit.length;
    },
  };
}
