import * as z from 'zod';

/** What a finished part leaves beside its file. */
export const partResultSchema = z.strictObject({
  /** Of a chunk: how many pictures it has, and a hash of what a decoder of it is set up with. */
  picture: z.strictObject({ pictures: z.int().min(0), decoderSetup: z.string().optional() }).optional(),
  /** Of the sound: its packets, and from when to when it plays, in seconds. */
  sound: z
    .strictObject({ packets: z.int().min(0), startSeconds: z.number(), endSeconds: z.number() })
    .optional(),
  /** What ffmpeg was asked and said. */
  runs: z.array(z.strictObject({ arguments: z.array(z.string()), log: z.string() })),
});

export type PartResult = z.output<typeof partResultSchema>;
