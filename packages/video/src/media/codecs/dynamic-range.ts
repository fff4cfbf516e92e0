import type { Probe } from '../probe/probe.ts';

const compressedCodecs = ['ac3', 'eac3'];

/**
 * Input options that leave out the dynamic range compression that AC-3 and E-AC-3 state. ffmpeg's decoders apply it by
 * default, and what is encoded from them could not undo it. Of an input without such a track ffmpeg would warn that the
 * option is unused.
 */
export function fullDynamicRange({ streams }: Pick<Probe, 'streams'>): string[] {
  const isCompressed = streams.some(({ codec }) => compressedCodecs.includes(codec));
  return isCompressed ? ['-drc_scale', '0'] : [];
}
