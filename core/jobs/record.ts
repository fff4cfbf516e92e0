import * as z from 'zod';
import { jobErrorCodes } from '../errors.ts';
import { timestampSchema } from '../timestamp.ts';
import { speeds } from './speeds.ts';
import { jobStages } from './states.ts';
import { storedFileSchema } from './stored-file.ts';

/** Why a job was rejected or failed, as its owner reads it. */
export const jobErrorSchema = z.object({
  code: z.enum(jobErrorCodes),
  message: z.string(),
  stage: z.enum(jobStages),
  retryable: z.boolean(),
});

const storedInputSchema = z.looseObject({ url: z.string() });
const storedRecipeSchema = z.looseObject({ name: z.string() });
/** A job's request as it was accepted; loose, because older versions' requests stay readable. */
const storedRequestSchema = z.looseObject({
  mode: z.string(),
  input: storedInputSchema.optional(),
  inputs: z.array(storedInputSchema).optional(),
  output: z.looseObject({ format: z.string() }),
  recipe: storedRecipeSchema.optional(),
  steps: z.array(z.looseObject({ name: z.string().optional(), recipe: storedRecipeSchema })).optional(),
  webhookUrl: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  speed: z.enum(speeds).optional(),
});

/** Whether a job's video is encoded in one piece (1 chunk) or in more side by side, and a sentence that says why. */
export const chunkingSchema = z.object({ chunks: z.int().min(1), reason: z.string() });

export type Chunking = z.infer<typeof chunkingSchema>;

const identity = { ownerId: z.string(), jobId: z.string() };

const common = {
  ...identity,
  request: storedRequestSchema,
  attempt: z.int().min(0),
  progress: z.int().min(0).max(100),
  stage: z.enum(jobStages),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  startedAt: timestampSchema.optional(),
  claimedAt: timestampSchema.optional(),
  retryOf: z.string().optional(),
};

/** A delivery that is under way: reconcile resumes it under the next number of `starts` when `dueAt` passes. */
const pendingDeliverySchema = z.object({
  id: z.string(),
  starts: z.int().min(0),
  redelivery: z.boolean(),
});

const ended = {
  ...common,
  completedAt: timestampSchema,
  webhookTarget: z.string().nullable(),
  pendingDelivery: pendingDeliverySchema.optional(),
  deliveryOutcome: z.enum(['delivered', 'abandoned', 'none']).optional(),
  sweepAt: timestampSchema.optional(),
  dueAt: timestampSchema.optional(),
  /** Length of the input of a completed job, as measured. */
  mediaSeconds: z.number().min(0).optional(),
  chunking: chunkingSchema.optional(),
};

const unfinished = {
  ...common,
  /** Why a video that could be encoded in chunks no longer may: that was tried. */
  singlePassReason: z.string().optional(),
};

const queuedSchema = z.object({
  ...unfinished,
  state: z.literal('queued'),
  queuedAt: timestampSchema,
  resends: z.int().min(0),
  dueAt: timestampSchema,
});

const processingSchema = z.object({
  ...unfinished,
  state: z.literal('processing'),
  startedAt: timestampSchema,
  claimedAt: timestampSchema,
  /** When the encoding will have ended, by ffmpeg's own report. */
  estimatedEndAt: timestampSchema.optional(),
  leaseId: z.string(),
  dueAt: timestampSchema,
  chunking: chunkingSchema.optional(),
  /** The state machine that has taken the job over, where one has, and how many parts note their percent. */
  execution: z.object({ name: z.string(), taskCount: z.int().min(1) }).optional(),
  /** Percent of each of its parts, from the moment on at which notes are taken. */
  chunkProgress: z.record(z.string(), z.number().min(0).max(100)).optional(),
  /** How often any of them has noted something. */
  progressVersion: z.int().min(0).optional(),
});

const completedSchema = z.object({
  ...ended,
  state: z.literal('completed'),
  files: z.record(z.string(), storedFileSchema),
  filesExpireAt: timestampSchema,
  inputSizeBytes: z.int().min(0).optional(),
  /** Figures that its recipe found on the way. */
  measurements: z.record(z.string(), z.number()).optional(),
});

const failedSchema = z.object({ ...ended, state: z.literal('failed'), error: jobErrorSchema });
const rejectedSchema = z.object({ ...ended, state: z.literal('rejected'), error: jobErrorSchema });
const cancelledSchema = z.object({ ...ended, state: z.literal('cancelled') });

/** What DELETE leaves behind until its files are surely gone: a 404 to every reader. */
const deletedSchema = z.object({
  ...identity,
  state: z.literal('deleted'),
  deletedAt: timestampSchema,
  sweepAt: timestampSchema,
  dueAt: timestampSchema.optional(),
  /** Epoch seconds at which the table forgets the tombstone (its time-to-live attribute). */
  expiresAt: z.int(),
});

/** The record of a job, one item of the table: a field exists only in the states where it has a meaning. */
export const jobRecordSchema = z.discriminatedUnion('state', [
  queuedSchema,
  processingSchema,
  completedSchema,
  failedSchema,
  rejectedSchema,
  cancelledSchema,
  deletedSchema,
]);

export type JobRecord = z.infer<typeof jobRecordSchema>;
export type RecordState = JobRecord['state'];
export type JobIn<S extends RecordState> = Extract<JobRecord, { state: S }>;
export type Job = Exclude<JobRecord, { state: 'deleted' }>;
export type TerminalJob = JobIn<'completed' | 'failed' | 'rejected' | 'cancelled'>;
export type JobFailure = z.infer<typeof jobErrorSchema>;
export type JobRequestRecord = z.infer<typeof storedRequestSchema>;

/** Whether a job is in a terminal state. A deleted one is in none any more. */
export function isTerminal(job: JobRecord): job is TerminalJob {
  return job.state !== 'queued' && job.state !== 'processing' && job.state !== 'deleted';
}
