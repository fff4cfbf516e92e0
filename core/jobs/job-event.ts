import * as z from 'zod';
import { jobStates } from './states.ts';

/** What the feed of an owner tells of a job: that it is in a state, or that one of its outputs has ended. */
export const jobEventSchema = z.object({
  state: z.enum(jobStates),
  /** Unix milliseconds. */
  at: z.int(),
  output: z.object({ name: z.string(), state: z.enum(['completed', 'failed', 'skipped']) }).optional(),
});

export type JobEvent = z.infer<typeof jobEventSchema>;
