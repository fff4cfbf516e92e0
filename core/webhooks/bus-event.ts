import * as z from 'zod';
import type { TerminalJob } from '../jobs/record.ts';
import { jobErrorSchema, terminalStates } from '../jobs/states.ts';
import { recipeLabel } from '../jobs/usage-group.ts';
import { timestampSchema } from '../timestamp.ts';

/** The `source` of every event on the stage's bus. */
export const busEventSource = 'media-jobs';

/** The `detail-type` of each terminal state. */
export const busDetailTypes = {
  completed: 'Job Completed',
  failed: 'Job Failed',
  rejected: 'Job Rejected',
  cancelled: 'Job Cancelled',
} as const;

/** The `detail` of a bus event. It has no signed URL, because a bus has many readers. */
export const busEventDetailSchema = z
  .object({
    ownerId: z.string().meta({ description: 'The owner of the job.' }),
    jobId: z.string(),
    state: z.enum(terminalStates),
    progress: z.int().min(0).max(100),
    completedAt: timestampSchema.meta({ description: 'When the job ended.' }),
    recipe: z.string().meta({ description: 'The name of the recipe, or `pipeline`.' }),
    error: jobErrorSchema.optional().meta({ description: 'Present on failed and rejected jobs.' }),
    metadata: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'BusEventDetail' });

export type BusEvent = {
  detailType: (typeof busDetailTypes)[keyof typeof busDetailTypes];
  detail: z.output<typeof busEventDetailSchema>;
};

export function busEvent(job: TerminalJob): BusEvent {
  const { ownerId, jobId, state, progress, completedAt, request } = job;
  return {
    detailType: busDetailTypes[state],
    detail: {
      ownerId,
      jobId,
      state,
      progress,
      completedAt,
      recipe: recipeLabel(request),
      error: 'error' in job ? job.error : undefined,
      metadata: request.metadata,
    },
  };
}
