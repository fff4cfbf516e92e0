/**
 * What `npm run bench -- parallel` says of each step alone, on a film of 4 minutes at 720p, and of the join of files of
 * 0.55 and 3.3 GB. Seconds of one processor.
 */
export const measuredChunks = {
  /** Of all chunks, by those of one pass: nearly all of the rest is decoding what lies before each. */
  share: 1.02,
  /** For a second of sound, whose encoder uses no second processor; the pictures beside it are read too. */
  sound: 0.0165,
  /** For each picture of an index that is read: that of the source, and in the check that of the joined file. */
  indexed: 0.000021,
  /** For each GB that is joined. */
  joinedGb: 2.1,
} as const;
