import type { ClipFeatures } from './clip-features.ts';
import { pairwise } from './pairwise.ts';

/** Sources among which every pair of two features' values occurs. */
export const featurePairs: readonly ClipFeatures[] = pairwise({
  shape: ['landscape', 'portrait', 'odd'],
  sound: ['one', 'none', 'several'],
  colour: ['sdr', 'hdr'],
  rate: ['constant', 'variable'],
  subtitles: [false, true],
});
