import type { HevcPps } from './hevc-pps.ts';
import { readReferenceSet } from './hevc-reference-sets.ts';
import type { HevcSps } from './hevc-sps.ts';
import { type NalReader, nalReader } from './nal-reader.ts';

const unitHeaderBytes = 2;
const idrTypes = [19, 20];

/** The types of NAL units with slices are below this one. */
const slicesEnd = 32;
/** The types of random access points (IRAP). */
const [randomAccessFrom, randomAccessTo] = [16, 23];

export function hevcUnitType(unit: Uint8Array): number {
  return ((unit[0] ?? 0) >> 1) & 0x3f;
}

export function isHevcSlice(unit: Uint8Array): boolean {
  return hevcUnitType(unit) < slicesEnd;
}

/**
 * The bytes of a slice segment up to its data (ISO/IEC 23008-2, section 7.3.6.1).
 * @throws RangeError for a slice without its parameter set, or that ends early
 */
export function hevcSliceHeaderBytes(unit: Uint8Array, ppsById: ReadonlyMap<number, HevcPps>): number {
  const type = hevcUnitType(unit);
  const reader = nalReader(unit, unitHeaderBytes);
  const isFirst = reader.flag();
  if (type >= randomAccessFrom && type <= randomAccessTo) reader.skip(1);
  const pps = ppsById.get(reader.unsigned());
  if (pps === undefined) throw new RangeError('A slice names a PPS that is missing');
  const isDependent = !isFirst && pps.hasDependentSlices && reader.flag();
  if (!isFirst) reader.skip(pps.sps.addressBits);
  if (!isDependent) skipSlice(reader, { pps, isIdr: idrTypes.includes(type) });
  if (pps.hasEntryPoints) {
    const points = reader.unsigned();
    if (points > 0) {
      const offsetBits = reader.unsigned() + 1;
      for (let left = points; left > 0; left -= 1) reader.skip(offsetBits);
    }
  }
  if (pps.hasExtension) reader.skip(8 * reader.unsigned());
  // The stop bit, whose byte is filled with zeros.
  reader.skip(1);
  return reader.readBytes();
}

function skipSlice(reader: NalReader, { pps, isIdr }: { pps: HevcPps; isIdr: boolean }): void {
  const { sps } = pps;
  reader.skip(pps.extraBits);
  // B, P, I.
  const lists = 2 - reader.unsigned();
  if (pps.hasOutputFlag) reader.skip(1);
  if (sps.hasSeparatePlanes) reader.skip(2);
  const { usedReferences, hasTemporalVectors } = isIdr
    ? { usedReferences: 0, hasTemporalVectors: false }
    : readReferences(reader, sps);
  const hasLuma = sps.hasSampleOffsets && reader.flag();
  const hasChroma = sps.hasSampleOffsets && sps.chromaArrayType !== 0 && reader.flag();
  if (lists > 0) skipPrediction(reader, { pps, lists, usedReferences, hasTemporalVectors });
  reader.signed();
  if (pps.hasChromaOffsets) {
    reader.signed();
    reader.signed();
  }
  if (pps.hasChromaOffsetLists) reader.skip(1);
  const isDeblocked = !readDeblockingOff(reader, pps);
  if (pps.filtersAcrossSlices && (hasLuma || hasChroma || isDeblocked)) reader.skip(1);
}

type References = {
  /** How many frames the slice may use. */
  usedReferences: number;
  hasTemporalVectors: boolean;
};

function readReferences(reader: NalReader, sps: HevcSps): References {
  const { referenceSets: sets, longTermReferences } = sps;
  reader.skip(sps.orderBits);
  const isOfSequence = reader.flag();
  const set = isOfSequence
    ? sets[reader.bits(bitsOfIndex(sets.length))]
    : readReferenceSet(reader, { sets, isOfSlice: true });
  const shortTerm = (set ?? []).filter(({ isUsed }) => isUsed).length;
  const longTerm =
    longTermReferences === undefined ? 0 : readLongTerm(reader, { ...sps, longTermReferences });
  return {
    usedReferences: shortTerm + longTerm,
    hasTemporalVectors: sps.hasTemporalVectors && reader.flag(),
  };
}

/** How many long-term references the slice uses. */
function readLongTerm(
  reader: NalReader,
  { orderBits, longTermReferences: known }: { orderBits: number; longTermReferences: readonly boolean[] },
): number {
  const ofSequence = known.length > 0 ? reader.unsigned() : 0;
  const all = ofSequence + reader.unsigned();
  let used = 0;
  for (let index = 0; index < all; index += 1) {
    if (index < ofSequence) used += known[reader.bits(bitsOfIndex(known.length))] ? 1 : 0;
    else {
      reader.skip(orderBits);
      used += reader.flag() ? 1 : 0;
    }
    if (reader.flag()) reader.unsigned();
  }
  return used;
}

function skipPrediction(
  reader: NalReader,
  { pps, lists, usedReferences, hasTemporalVectors }: References & { pps: HevcPps; lists: number },
): void {
  const defaults = pps.references.slice(0, lists);
  const counts = reader.flag() ? defaults.map(() => reader.unsigned() + 1) : defaults;
  if (pps.modifiesLists && usedReferences > 1) {
    for (const count of counts) if (reader.flag()) reader.skip(count * bitsOfIndex(usedReferences));
  }
  if (lists === 2) reader.skip(1);
  if (pps.hasArithmeticInit) reader.skip(1);
  if (hasTemporalVectors) {
    const list = lists === 1 || reader.flag() ? 0 : 1;
    if ((counts[list] ?? 1) > 1) reader.unsigned();
  }
  if ((pps.weightsP && lists === 1) || (pps.weightsB && lists === 2)) skipWeights(reader, counts, pps.sps);
  reader.unsigned();
}

/** Section 7.3.6.3. */
function skipWeights(reader: NalReader, counts: readonly number[], { chromaArrayType }: HevcSps): void {
  const planes = chromaArrayType === 0 ? [1] : [1, 2];
  for (const _ of planes) reader.unsigned();
  for (const count of counts) {
    const values = planes.map((each) => Array.from({ length: count }, () => (reader.flag() ? 2 * each : 0)));
    for (const each of values.flat()) for (let left = each; left > 0; left -= 1) reader.signed();
  }
}

function readDeblockingOff(reader: NalReader, { overridesDeblocking, isDeblockingOff }: HevcPps): boolean {
  if (!overridesDeblocking || !reader.flag()) return isDeblockingOff;
  if (reader.flag()) return true;
  reader.signed();
  reader.signed();
  return false;
}

function bitsOfIndex(count: number): number {
  return count <= 1 ? 0 : Math.ceil(Math.log2(count));
}
