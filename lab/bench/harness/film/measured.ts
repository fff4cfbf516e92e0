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
