import * as z from 'zod';

/** What brings back records and files that were lost. See "Restore" in docs/operating.md. */
export const recoverySchema = z.strictObject({
  table: z
    .string()
    .regex(/^[a-zA-Z0-9_.-]{3,255}$/, 'must be the name of a table of DynamoDB')
    .optional()
    .meta({
      description:
        'Name of a restored table that the service works on; unset, the one that the stack `stateful` made.',
    }),
  deletedFileRetentionDays: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(90, 'must be at most 90')
    .optional()
    .meta({
      description: 'Days that deleted files can be brought back; unset, what is deleted is gone at once.',
    }),
});
