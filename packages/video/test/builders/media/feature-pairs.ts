import type { ClipFeatures } from './clip-features.ts';
import { pairwise } from './pairwise.ts';

/** Sources that cover every pair of values of any two features. */
export const featurePairs: readonly ClipFeatures[] = pairwise({
  shape: ['landscape', 'portrait', 'odd'],
  audio: ['one', 'none', 'several'],
  colour: ['sdr', 'hdr'],
  rate: ['constant', 'variable'],
  subtitles: [false, true],
});
