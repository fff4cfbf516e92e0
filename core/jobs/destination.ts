import * as z from 'zod';
import { objectOptions } from '../storage/object-options.ts';

/** Where the files of a job go, fixed when it is created. Without it they go to the stage's bucket. */
export const destinationSchema = z.object({
  storageProviderId: z.string(),
  keyTemplate: z.string(),
  ...objectOptions,
  /** Each byte that is sent there is billed to the stage as transfer to the internet. */
  isOutsideAws: z.literal(true).optional(),
});

export type Destination = z.infer<typeof destinationSchema>;
