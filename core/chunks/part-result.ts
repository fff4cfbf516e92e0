import * as z from 'zod';

/** What ffmpeg was asked and said. */
const runsSchema = z.array(z.strictObject({ arguments: z.array(z.string()), log: z.string() }));

/** What a finished part leaves beside its files. */
export const partResultSchema = z.strictObject({
  /** Of a chunk, by size: how many pictures it has, and a hash of what a decoder of it is set up with. */
  sizes: z
    .array(z.strictObject({ pictures: z.int().min(0), decoderSetup: z.string().optional() }))
    .optional(),
  /** Of the sound: its packets, and from when to when it plays, in seconds. */
  sound: z
    .strictObject({ packets: z.int().min(0), startSeconds: z.number(), endSeconds: z.number() })
    .optional(),
  runs: runsSchema,
});

export type PartResult = z.output<typeof partResultSchema>;

/** What a part leaves whose encoding failed: why, as the owner of the job reads it. */
export const partFailureSchema = z.strictObject({ message: z.string(), runs: runsSchema });

export type PartFailure = z.output<typeof partFailureSchema>;
