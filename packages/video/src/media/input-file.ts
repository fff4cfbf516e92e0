import * as z from 'zod';

/** A file that the commands read: an input of the job, or a file that a parameter names. */
export const inputFileSchema = z.object({
  /** The name of the file in the commands, such as `input-1`. */
  name: z.string(),
  bytes: z.int().min(0),
  /** SHA-256 of the whole file, 64 hexadecimal digits. Absent for a source that was read by ranges in place. */
  sha256: z.string().optional(),
});

export type InputFile = z.infer<typeof inputFileSchema>;
