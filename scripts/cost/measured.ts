export type Measured = {
  /** CPU seconds per second of media. */
  cpu: number;
  /** Bitrate of the output, audio included. */
  bitrateKbps: number;
};

export const measuredOn = 'two cores of an AMD EPYC 9004 (x86-64) with ffmpeg 7.0, 2026-11-21';

/** Output of `scripts/cost-measure.ts` for the slower of two clips: recipe `compress` with crf 28. */
export const measured: Readonly<Record<ResolutionName, Measured>> = {
  '480p': { cpu: 0.47, bitrateKbps: 224 },
  '720p': { cpu: 1.05, bitrateKbps: 311 },
  '1080p': { cpu: 2.42, bitrateKbps: 629 },
  '2160p': { cpu: 10.12, bitrateKbps: 1874 },
};

/** CPU seconds that `npm run bench -- parallel` measured on its video at 720p. */
export const measuredChunks = {
  /**
   * What a chunk takes besides its own seconds of the video, in such seconds: a chunk of one minute took 1.04 times that of
   * a single pass. Most of it is decoding the preroll, which does not depend on the length of the chunk.
   */
  prerollSeconds: 0.04 * 60,
  /**
   * Reading the indexes of 120 chunks, writing that of 216,000 frames and 337,560 packets of audio, and reading it again:
   * 0.5 s of a processor on 2026-11-25.
   */
  cpuSecondsPerAssembledFrame: 0.0000025,
} as const;

/**
 * Probing and planning an MP4 by ranges, as `test/chunking/sparse-source.full.test.ts` prints it: 720,000 frames in 1.8 s
 * with 30 ms for each request, on a busy machine on 2026-11-23. The requests do not depend on the size of the file.
 */
export const measuredPlan = { requests: 14, secondsPerRequest: 0.03, cpuSecondsPerFrame: 0.000002 } as const;

export type Resolution = { width: number; height: number };

/** The resolutions of the cost tables, at 30 frames per second. */
export const resolutions = {
  '480p': { width: 854, height: 480 },
  '720p': { width: 1280, height: 720 },
  '1080p': { width: 1920, height: 1080 },
  '2160p': { width: 3840, height: 2160 },
} as const satisfies Record<string, Resolution>;

export type ResolutionName = keyof typeof resolutions;
