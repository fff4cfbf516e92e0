import type { ResolutionName } from './resolutions.ts';

export type Measured = {
  /** Seconds of one processor for a second of media. */
  cpu: number;
  /** Of the output, with its sound. */
  bitrateKbps: number;
};

export const measuredOn = 'two processors of an AMD EPYC 9004 (x86-64) with ffmpeg 7.0, 2026-11-21';

/** What `scripts/cost-measure.ts` said of the slower of two clips: the recipe `compress` with crf 28. */
export const measured: Readonly<Record<ResolutionName, Measured>> = {
  '480p': { cpu: 0.47, bitrateKbps: 224 },
  '720p': { cpu: 1.05, bitrateKbps: 311 },
  '1080p': { cpu: 2.42, bitrateKbps: 629 },
  '2160p': { cpu: 10.12, bitrateKbps: 1874 },
};
