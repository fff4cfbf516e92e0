import * as z from 'zod';
import { jobResultSchema } from './job-result.ts';

/** What the completed steps of a pipeline leave for those that are left: an object in the media bucket, as JSON. */
export const stepOutputsSchema = z.object({
  /** Key of the file that the next step reads. */
  intermediate: z.string(),
  /** The result of the job until now. Its files are those of named steps, under keys of work files. */
  result: jobResultSchema,
});

export type StepOutputs = z.infer<typeof stepOutputsSchema>;
