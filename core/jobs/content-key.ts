import * as z from 'zod';

/**
 * The key that a stream is encrypted with, as the record of its job has it: encrypted by the stage's key, with owner and
 * job as the encryption context. A retry copies it, so the job is the first of them.
 */
export const contentKeySchema = z.object({ jobId: z.string(), encrypted: z.string() });

export type ContentKey = z.infer<typeof contentKeySchema>;
