import type { NalFormat } from '../../nal/nal-format.ts';
import { nalUnits } from '../../nal/nal-units.ts';

/** Bytes that stay clear, and the protected ones after them. */
export type Subsample = { clearBytes: number; protectedBytes: number };

/** The unit of AES. */
export const blockBytes = 16;

/** A field of 16 bits states it. */
const maxClearBytes = 65_535;

/**
 * The subsamples of a frame: the slice data of each NAL unit is protected, in whole blocks. Headers stay clear, so that
 * players find frames and hardware decoders configure themselves (ISO/IEC 23001-7, section 9.5.2).
 */
export function subsamplesOf(sample: Uint8Array, { lengthBytes, clearBytes }: NalFormat): Subsample[] {
  const subsamples: Subsample[] = [];
  let clear = 0;
  const end = (protectedBytes: number) => {
    for (; clear > maxClearBytes; clear -= maxClearBytes)
      subsamples.push({ clearBytes: maxClearBytes, protectedBytes: 0 });
    subsamples.push({ clearBytes: clear, protectedBytes });
    clear = 0;
  };
  for (const unit of nalUnits(sample, lengthBytes)) {
    const headerBytes = clearBytes(unit);
    const dataBytes = unit.length - headerBytes;
    const rest = dataBytes % blockBytes;
    clear += lengthBytes + headerBytes;
    if (dataBytes > rest) end(dataBytes - rest);
    clear += rest;
  }
  if (clear > 0) end(0);
  return subsamples;
}
