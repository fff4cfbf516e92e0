/**
 * Seconds of one processor, as `npm run bench -- parallel` measures them on its film at 720p, for chunks of a minute; the
 * join is that of files of 0.55 and 3.3 GB.
 */
export const measuredChunks = {
  /** Of all chunks, by those of one pass: nearly all of the rest is decoding what lies before each. */
  cpuFactor: 1.04,
  /** For a second of sound, whose encoder uses no second processor; the pictures beside it are read too. */
  cpuSecondsPerAudioSecond: 0.0165,
  /** For each picture of an index that is read: that of the source, and in the check that of the joined file. */
  cpuSecondsPerIndexedFrame: 0.000021,
  /** For each GB that is joined. */
  cpuSecondsPerJoinedGb: 2.1,
} as const;
