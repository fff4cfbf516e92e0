import type { ResolutionName } from './resolutions.ts';

export type Measured = {
  /** Seconds of one processor for a second of media. */
  cpu: number;
  /** Of the output, with its sound. */
  bitrateKbps: number;
};

/** What `scripts/cost/measure.ts` said: the recipe `compress` with crf 28 and veryfast, on an x86-64 server. */
export const measured: Readonly<Record<ResolutionName, Measured>> = {
  '480p': { cpu: 0, bitrateKbps: 0 },
  '720p': { cpu: 0, bitrateKbps: 0 },
  '1080p': { cpu: 0, bitrateKbps: 0 },
  '2160p': { cpu: 0, bitrateKbps: 0 },
};
