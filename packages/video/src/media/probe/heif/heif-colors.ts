/** The colors that a HEIF file declares in numbers of ITU-T H.273, by ffmpeg's names; undefined for other numbers. */
export type HeifColors = {
  primaries: string | undefined;
  transfer: string | undefined;
  matrix: string | undefined;
  isFullRange: boolean;
};

// biome-ignore format: a table
const primaries: Record<number, string> = {
  1: 'bt709', 5: 'bt470bg', 6: 'smpte170m', 9: 'bt2020', 11: 'smpte431', 12: 'smpte432',
};

// biome-ignore format: a table
const transfers: Record<number, string> = {
  1: 'bt709', 6: 'smpte170m', 8: 'linear', 13: 'iec61966-2-1', 14: 'bt2020-10', 15: 'bt2020-12',
  16: 'smpte2084', 18: 'arib-std-b67',
};

const matrices: Record<number, string> = { 1: 'bt709', 5: 'bt470bg', 6: 'smpte170m', 9: 'bt2020nc' };

/** Reads the content of a `colr` box of the type `nclx` (ISO/IEC 14496-12, section 12.1.5). */
export function readHeifColors(colr: DataView): HeifColors {
  return {
    primaries: primaries[colr.getUint16(4)],
    transfer: transfers[colr.getUint16(6)],
    matrix: matrices[colr.getUint16(8)],
    isFullRange: (colr.getUint8(10) & 0x80) !== 0,
  };
}
