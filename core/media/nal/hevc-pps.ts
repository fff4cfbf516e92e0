import { skipScalingLists } from './hevc-scaling-lists.ts';
import type { HevcSps } from './hevc-sps.ts';
import type { NalReader } from './nal-reader.ts';

/** What a PPS says about slice headers (ISO/IEC 23008-2, section 7.3.2.3.1). */
export type HevcPps = {
  sps: HevcSps;
  hasDependentSlices: boolean;
  hasOutputFlag: boolean;
  extraBits: number;
  hasArithmeticInit: boolean;
  /** Of both lists. */
  references: [number, number];
  hasChromaOffsets: boolean;
  hasChromaOffsetLists: boolean;
  weightsP: boolean;
  weightsB: boolean;
  /** Tiles, or rows that are decoded in parallel. */
  hasEntryPoints: boolean;
  filtersAcrossSlices: boolean;
  overridesDeblocking: boolean;
  isDeblockingOff: boolean;
  modifiesLists: boolean;
  hasExtension: boolean;
};

export function readHevcPps(
  reader: NalReader,
  spsById: ReadonlyMap<number, HevcSps>,
): HevcPps & { id: number } {
  const id = reader.unsigned();
  const sps = spsById.get(reader.unsigned());
  if (sps === undefined) throw new RangeError('A PPS names an SPS that is missing');
  const hasDependentSlices = reader.flag();
  const hasOutputFlag = reader.flag();
  const extraBits = reader.bits(3);
  reader.skip(1);
  const hasArithmeticInit = reader.flag();
  const references: [number, number] = [reader.unsigned() + 1, reader.unsigned() + 1];
  reader.signed();
  reader.skip(1);
  const skipsTransforms = reader.flag();
  if (reader.flag()) reader.unsigned();
  reader.signed();
  reader.signed();
  const hasChromaOffsets = reader.flag();
  const weightsP = reader.flag();
  const weightsB = reader.flag();
  reader.skip(1);
  const hasTiles = reader.flag();
  const hasRows = reader.flag();
  if (hasTiles) skipTiles(reader);
  const filtersAcrossSlices = reader.flag();
  const deblocking = readDeblocking(reader);
  if (reader.flag()) skipScalingLists(reader);
  const modifiesLists = reader.flag();
  reader.unsigned();
  const hasExtension = reader.flag();
  return {
    id,
    sps,
    hasDependentSlices,
    hasOutputFlag,
    extraBits,
    hasArithmeticInit,
    references,
    hasChromaOffsets,
    weightsP,
    weightsB,
    filtersAcrossSlices,
    modifiesLists,
    hasExtension,
    ...deblocking,
    hasEntryPoints: hasTiles || hasRows,
    hasChromaOffsetLists: readRangeExtension(reader, skipsTransforms),
  };
}

function skipTiles(reader: NalReader): void {
  const [columns, rows] = [reader.unsigned(), reader.unsigned()];
  const isUniform = reader.flag();
  for (let left = isUniform ? 0 : columns + rows; left > 0; left -= 1) reader.unsigned();
  reader.skip(1);
}

function readDeblocking(reader: NalReader): Pick<HevcPps, 'overridesDeblocking' | 'isDeblockingOff'> {
  if (!reader.flag()) return { overridesDeblocking: false, isDeblockingOff: false };
  const overridesDeblocking = reader.flag();
  const isDeblockingOff = reader.flag();
  if (!isDeblockingOff) {
    reader.signed();
    reader.signed();
  }
  return { overridesDeblocking, isDeblockingOff };
}

/** Whether slices may have lists of chroma offsets (section 7.3.2.3.2). */
function readRangeExtension(reader: NalReader, skipsTransforms: boolean): boolean {
  if (!reader.flag()) return false;
  const isRange = reader.flag();
  if (reader.bits(7) !== 0) throw new RangeError('A PPS has an extension that no encoder here writes');
  if (!isRange) return false;
  if (skipsTransforms) reader.unsigned();
  reader.skip(1);
  return reader.flag();
}
