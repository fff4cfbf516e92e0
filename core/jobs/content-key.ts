import * as z from 'zod';

/**
 * The key that a stream is encrypted with, as the record of its job has it: encrypted by the stage's key, with owner and
 * job as the encryption context. A retry copies it, so the job is the first of them.
 */
export const contentKeySchema = z.object({ jobId: z.string(), encrypted: z.string() });

export type ContentKey = z.infer<typeof contentKeySchema>;

/** The content keys of several streams as one text, by the names of their outputs. Undefined if there are none. */
export function contentKeyText(keys: ReadonlyMap<string, string>): string | undefined {
  return keys.size === 0 ? undefined : JSON.stringify(Object.fromEntries(keys));
}

const keysByOutput = z.record(z.string(), z.string());

/** The key of the stream in a folder, from the decrypted text of its job: one key, or that of several outputs. */
export function contentKeyOf(text: string, folder: string | undefined): string | undefined {
  return text.startsWith('{') ? keysByOutput.parse(JSON.parse(text))[folder ?? ''] : text;
}
