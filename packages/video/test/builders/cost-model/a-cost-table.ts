import type { CostTable, EncodeCost } from '../../../src/cost-model/cost-table.ts';

const encoder: EncodeCost = {
  start: { seconds: 0.1, perFrameMegapixel: 0.2 },
  perMegapixel: 0.04,
  perMegabit: 0.1,
  frameRateExponent: -0.5,
  efforts: { medium: 1, veryfast: 0.5 },
  rate: { bitsPerPixel: 0.05, crf: 26, crfToHalve: 6, sourceExponent: 0.5, sizeExponent: -0.25 },
};

/** A table of round figures. */
export function aCostTable(differences: Partial<CostTable> = {}): CostTable {
  return {
    measuredOn: 'nowhere',
    perCommand: 0,
    decode: { h264: { perMegapixel: 0.005, perMegabit: 0.01 }, other: { perMegapixel: 0.01, perMegabit: 0.01 } },
    tenBitDecode: 2,
    encode: { libx264: encoder },
    encodePerMegapixel: { png: 0.1, other: 0.2 },
    filterPerMegapixel: { scale: 0.001, scaleIn: 0.001, other: 0.001 },
    perPalette: 0,
    audioPerSecond: { decode: 0.003, 'encode aac': 0.03, other: 0.03 },
    perCopiedGigabyte: 4,
    vmafPerMegapixel: 0.1,
    ...differences,
  };
}
