import { type ReferenceSet, readReferenceSet } from './hevc-reference-sets.ts';
import { skipScalingLists } from './hevc-scaling-lists.ts';
import type { NalReader } from './nal-reader.ts';

/** What an SPS (sequence parameter set) says about slice headers (ISO/IEC 23008-2, section 7.3.2.2.1). */
export type HevcSps = {
  hasSeparatePlanes: boolean;
  /** 0 for monochrome and for separate planes. */
  chromaArrayType: number;
  /** Of the number of a coding tree unit. */
  addressBits: number;
  orderBits: number;
  hasSampleOffsets: boolean;
  referenceSets: readonly ReferenceSet[];
  /** For each long-term reference, whether it is used; undefined if the SPS has none. */
  longTermReferences: readonly boolean[] | undefined;
  hasTemporalVectors: boolean;
};

export function readHevcSps(reader: NalReader): HevcSps & { id: number } {
  reader.skip(4);
  const subLayers = reader.bits(3);
  reader.skip(1);
  skipProfile(reader, subLayers);
  const id = reader.unsigned();
  const chromaFormat = reader.unsigned();
  const hasSeparatePlanes = chromaFormat === 3 && reader.flag();
  const [width, height] = [reader.unsigned(), reader.unsigned()];
  // The conformance window.
  if (reader.flag()) skipNumbers(reader, 4);
  skipNumbers(reader, 2);
  const orderBits = reader.unsigned() + 4;
  skipNumbers(reader, 3 * (reader.flag() ? subLayers + 1 : 1));
  const unitBits = reader.unsigned() + 3 + reader.unsigned();
  skipNumbers(reader, 4);
  if (reader.flag() && reader.flag()) skipScalingLists(reader);
  reader.skip(1);
  const hasSampleOffsets = reader.flag();
  if (reader.flag()) {
    reader.skip(8);
    skipNumbers(reader, 2);
    reader.skip(1);
  }
  const referenceSets: ReferenceSet[] = [];
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    referenceSets.push(readReferenceSet(reader, { sets: referenceSets, isOfSlice: false }));
  }
  const longTermReferences = reader.flag() ? readLongTerm(reader, orderBits) : undefined;
  const units = Math.ceil(width / 2 ** unitBits) * Math.ceil(height / 2 ** unitBits);
  return {
    id,
    hasSeparatePlanes,
    chromaArrayType: hasSeparatePlanes ? 0 : chromaFormat,
    addressBits: Math.ceil(Math.log2(units)),
    orderBits,
    hasSampleOffsets,
    referenceSets,
    longTermReferences,
    hasTemporalVectors: reader.flag(),
  };
}

/** Section 7.3.3. */
function skipProfile(reader: NalReader, subLayers: number): void {
  reader.skip(96);
  const present = Array.from({ length: subLayers }, () => [reader.flag() ? 88 : 0, reader.flag() ? 8 : 0]);
  if (subLayers > 0) reader.skip(2 * (8 - subLayers));
  for (const bits of present.flat()) reader.skip(bits);
}

function readLongTerm(reader: NalReader, orderBits: number): boolean[] {
  return Array.from({ length: reader.unsigned() }, () => {
    reader.skip(orderBits);
    return reader.flag();
  });
}

function skipNumbers(reader: NalReader, count: number): void {
  for (let left = count; left > 0; left -= 1) reader.unsigned();
}
