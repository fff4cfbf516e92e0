import * as z from 'zod';

/** What ffmpeg was asked and said. */
const runsSchema = z.array(z.strictObject({ arguments: z.array(z.string()), log: z.string() }));

/** What a finished part leaves beside its files. */
export const chunkResultSchema = z.strictObject({
  /** Of a chunk, by size: how many pictures it has, and a hash of what a decoder of it is set up with. */
  renditions: z
    .array(z.strictObject({ frames: z.int().min(0), extradataHash: z.string().optional() }))
    .optional(),
  /** Of the sound: its packets, and from when to when it plays, in seconds. */
  audio: z
    .strictObject({ packets: z.int().min(0), startSeconds: z.number(), endSeconds: z.number() })
    .optional(),
  runs: runsSchema,
});

export type ChunkResult = z.output<typeof chunkResultSchema>;

/** What a part leaves whose encoding failed: why, as the owner of the job reads it. */
export const chunkFailureSchema = z.strictObject({ message: z.string(), runs: runsSchema });

export type ChunkFailure = z.output<typeof chunkFailureSchema>;
