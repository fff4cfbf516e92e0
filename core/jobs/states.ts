import { jobErrorCodes } from '@media-jobs/video/errors';
import * as z from 'zod';

/** No job leaves these states. */
export const terminalStates = ['completed', 'failed', 'rejected', 'cancelled'] as const;

/** The states that the API returns. */
export const jobStates = ['queued', 'processing', ...terminalStates] as const;

/** The states of an output, of a job of several. */
export const outputStates = ['queued', 'processing', 'completed', 'failed', 'skipped', 'cancelled'] as const;

/** The stage of a job's processing; after its end, the last one reached. */
export const jobStages = [
  'queued',
  'validating',
  'downloading',
  'probing',
  'transcoding',
  'uploading',
  'done',
] as const;

export type OutputState = (typeof outputStates)[number];
export type TerminalState = (typeof terminalStates)[number];
export type JobState = (typeof jobStates)[number];
export type UnfinishedState = Exclude<JobState, TerminalState>;
export type JobStage = (typeof jobStages)[number];

export function isTerminalState(state: string): state is TerminalState {
  return (terminalStates as readonly string[]).includes(state);
}

/** The `error` of a rejected or failed job, as its owner reads it. */
export const jobErrorSchema = z.object({
  code: z.enum(jobErrorCodes),
  message: z.string(),
  stage: z.enum(jobStages),
  retryable: z.boolean(),
  output: z.string().optional().describe('The output that failed, of a job of several.'),
});

/** How outputs have ended that were not made, by their names. */
export const outputEndsSchema = z.record(
  z.string(),
  z.object({ state: z.enum(['skipped', 'failed']), error: jobErrorSchema.optional() }),
);

export type OutputEnds = z.infer<typeof outputEndsSchema>;

export type JobFailure = z.infer<typeof jobErrorSchema>;

export const webhookStates = ['pending', 'delivered', 'failed'] as const;

export type WebhookState = (typeof webhookStates)[number];

/** What the feed of an owner tells of a job: that it is in a state, or that one of its outputs has ended. */
export const jobEventSchema = z.object({
  state: z.enum(jobStates),
  /** Unix milliseconds. */
  at: z.int(),
  output: z.object({ name: z.string(), state: z.enum(['completed', 'failed', 'skipped']) }).optional(),
});

export type JobEvent = z.infer<typeof jobEventSchema>;
