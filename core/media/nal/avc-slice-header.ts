import type { AvcPps } from './avc-parameter-sets.ts';
import { type NalReader, nalReader } from './nal-reader.ts';

type SliceKind = 'P' | 'B' | 'I' | 'SP' | 'SI';

const kinds: readonly SliceKind[] = ['P', 'B', 'I', 'SP', 'SI'];

/** The types of units that are slices: of other frames, and of IDR frames. */
export const avcSliceTypes = [1, 5];

const idrType = 5;

/**
 * The bytes of a slice up to the first with slice data (ISO/IEC 14496-10, section 7.3.3).
 * @throws RangeError for a slice without its parameter set, or that ends early
 */
export function avcSliceHeaderBytes(unit: Uint8Array, ppsById: ReadonlyMap<number, AvcPps>): number {
  const [header = 0] = unit;
  const isIdr = (header & 0x1f) === idrType;
  const isReference = (header & 0x60) !== 0;
  const reader = nalReader(unit, 1);
  reader.unsigned();
  const kind = kinds[reader.unsigned() % 5] ?? 'I';
  const pps = ppsById.get(reader.unsigned());
  if (pps === undefined) throw new RangeError('A slice names a PPS that is missing');
  skipOrder(reader, { pps, isIdr });
  const lists = kind === 'B' ? 2 : kind === 'P' || kind === 'SP' ? 1 : 0;
  const references = readReferences(reader, { pps, lists, kind });
  for (let list = 0; list < lists; list += 1) skipListModification(reader);
  if ((pps.weightsP && lists === 1) || (pps.weightsB && lists === 2))
    skipWeights(reader, { references, chromaArrayType: pps.sps.chromaArrayType });
  if (isReference) skipMarking(reader, isIdr);
  if (pps.isArithmetic && lists > 0) reader.unsigned();
  reader.signed();
  if (kind === 'SP') reader.skip(1);
  if (kind === 'SP' || kind === 'SI') reader.signed();
  if (pps.hasDeblocking && reader.unsigned() !== 1) {
    reader.signed();
    reader.signed();
  }
  return reader.readBytes();
}

/** From the number of the frame to its order. */
function skipOrder(reader: NalReader, { pps, isIdr }: { pps: AvcPps; isIdr: boolean }): void {
  const { sps, hasFieldOrder, hasRedundantFrames } = pps;
  if (sps.hasSeparatePlanes) reader.skip(2);
  reader.skip(sps.frameNumBits);
  const isField = sps.mayHaveFields && reader.flag();
  if (isField) reader.skip(1);
  if (isIdr) reader.unsigned();
  const hasSecondDelta = hasFieldOrder && !isField;
  if (sps.orderType === 0) {
    reader.skip(sps.orderBits);
    if (hasSecondDelta) reader.signed();
  }
  if (sps.orderType === 1 && sps.hasOrderDeltas) {
    reader.signed();
    if (hasSecondDelta) reader.signed();
  }
  if (hasRedundantFrames) reader.unsigned();
}

/** How many references each of the lists has. */
function readReferences(
  reader: NalReader,
  { pps, lists, kind }: { pps: AvcPps; lists: number; kind: SliceKind },
): number[] {
  if (kind === 'B') reader.skip(1);
  const defaults = pps.references.slice(0, lists);
  if (lists === 0 || !reader.flag()) return defaults;
  return defaults.map(() => reader.unsigned() + 1);
}

/** Section 7.3.3.1. */
function skipListModification(reader: NalReader): void {
  if (!reader.flag()) return;
  while (reader.unsigned() !== 3) reader.unsigned();
}

/** Section 7.3.3.2. */
function skipWeights(
  reader: NalReader,
  { references, chromaArrayType }: { references: readonly number[]; chromaArrayType: number },
): void {
  const components = chromaArrayType === 0 ? [1] : [1, 2];
  for (const _ of components) reader.unsigned();
  for (const count of references) {
    for (let reference = 0; reference < count; reference += 1) {
      for (const planes of components) {
        if (!reader.flag()) continue;
        for (let value = 0; value < 2 * planes; value += 1) reader.signed();
      }
    }
  }
}

/** Section 7.3.3.3. */
function skipMarking(reader: NalReader, isIdr: boolean): void {
  if (isIdr) reader.skip(2);
  if (isIdr || !reader.flag()) return;
  for (let operation = reader.unsigned(); operation !== 0; operation = reader.unsigned()) {
    if ([1, 2, 3, 4, 6].includes(operation)) reader.unsigned();
    if (operation === 3) reader.unsigned();
  }
}
