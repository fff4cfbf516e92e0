import { type NalReader, nalReader } from './nal-reader.ts';

/** What an SPS (sequence parameter set) says about slice headers (ISO/IEC 14496-10, section 7.3.2.1.1). */
export type AvcSps = {
  hasSeparatePlanes: boolean;
  /** 0 for monochrome and for separate planes. */
  chromaArrayType: number;
  frameNumBits: number;
  orderType: number;
  orderBits: number;
  hasOrderDeltas: boolean;
  mayHaveFields: boolean;
};

/** What a PPS says about them (section 7.3.2.2). */
export type AvcPps = {
  sps: AvcSps;
  isArithmetic: boolean;
  hasFieldOrder: boolean;
  /** Of both lists. */
  references: [number, number];
  weightsP: boolean;
  weightsB: boolean;
  hasDeblocking: boolean;
  hasRedundantFrames: boolean;
};

export type AvcParameterSets = { spsById: Map<number, AvcSps>; ppsById: Map<number, AvcPps> };

const avcSpsType = 7;
const avcPpsType = 8;

// The profiles whose parameter sets state chroma and bit depth (section 7.3.2.1.1).
const highProfiles = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

/**
 * Adds an SPS or a PPS; other units change nothing.
 * @throws RangeError for a PPS whose SPS is missing
 */
export function addAvcParameterSet({ spsById, ppsById }: AvcParameterSets, unit: Uint8Array): void {
  const type = (unit[0] ?? 0) & 0x1f;
  const reader = nalReader(unit, 1);
  if (type === avcSpsType) {
    const { id, ...sps } = readSps(reader);
    spsById.set(id, sps);
  } else if (type === avcPpsType) {
    const { id, ...pps } = readPps(reader, spsById);
    ppsById.set(id, pps);
  }
}

function readSps(reader: NalReader): AvcSps & { id: number } {
  const profile = reader.bits(8);
  reader.skip(16);
  const id = reader.unsigned();
  let chromaFormat = 1;
  let hasSeparatePlanes = false;
  if (highProfiles.includes(profile)) {
    chromaFormat = reader.unsigned();
    hasSeparatePlanes = chromaFormat === 3 && reader.flag();
    reader.unsigned();
    reader.unsigned();
    reader.skip(1);
    if (reader.flag()) skipScalingMatrix(reader, chromaFormat === 3 ? 12 : 8);
  }
  const frameNumBits = reader.unsigned() + 4;
  const orderType = reader.unsigned();
  let orderBits = 0;
  let hasOrderDeltas = false;
  if (orderType === 0) orderBits = reader.unsigned() + 4;
  if (orderType === 1) {
    hasOrderDeltas = !reader.flag();
    reader.signed();
    reader.signed();
    for (let left = reader.unsigned(); left > 0; left -= 1) reader.signed();
  }
  reader.unsigned();
  reader.skip(1);
  reader.unsigned();
  reader.unsigned();
  return {
    id,
    hasSeparatePlanes,
    chromaArrayType: hasSeparatePlanes ? 0 : chromaFormat,
    frameNumBits,
    orderType,
    orderBits,
    hasOrderDeltas,
    mayHaveFields: !reader.flag(),
  };
}

function skipScalingMatrix(reader: NalReader, lists: number): void {
  for (let list = 0; list < lists; list += 1) {
    if (!reader.flag()) continue;
    let [last, next] = [8, 8];
    for (let left = list < 6 ? 16 : 64; left > 0; left -= 1) {
      if (next !== 0) next = (last + reader.signed() + 256) % 256;
      if (next !== 0) last = next;
    }
  }
}

function readPps(reader: NalReader, spsById: ReadonlyMap<number, AvcSps>): AvcPps & { id: number } {
  const id = reader.unsigned();
  const sps = spsById.get(reader.unsigned());
  if (sps === undefined) throw new RangeError('A PPS names an SPS that is missing');
  const isArithmetic = reader.flag();
  const hasFieldOrder = reader.flag();
  if (reader.unsigned() > 0) throw new RangeError('A PPS has slice groups, which no encoder here writes');
  const references: [number, number] = [reader.unsigned() + 1, reader.unsigned() + 1];
  const weightsP = reader.flag();
  const weightsB = reader.bits(2) === 1;
  reader.signed();
  reader.signed();
  reader.signed();
  const hasDeblocking = reader.flag();
  reader.skip(1);
  const hasRedundantFrames = reader.flag();
  return {
    id,
    sps,
    isArithmetic,
    hasFieldOrder,
    references,
    weightsP,
    weightsB,
    hasDeblocking,
    hasRedundantFrames,
  };
}
