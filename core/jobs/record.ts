import { jobWarningsSchema } from '@media-jobs/video/media';
import * as z from 'zod';
import { spendingCapSchema } from '../access/owner-limits.ts';
import { timestampSchema } from '../timestamp.ts';
import { deliveredAttemptSchema } from './attempt-outcome.ts';
import { contentKeySchema } from './content-key.ts';
import { chunkingSchema, completedStepsSchema, jobResultSchema, ofOutputs, workers } from './job-result.ts';
import { batchJobsQueue, economyQueue, longJobsQueue, poolCapacities } from './queues.ts';
import { jobRequestSchema } from './request-record.ts';
import { jobErrorSchema, jobEventSchema, jobStages, terminalStates } from './states.ts';
import { destinationSchema, storedFileSchema, storedFilesToRemoveSchema } from './stored-file.ts';
import { jobCostSchema, jobUsageSchema } from './usage.ts';

/** Who does each step of a job. */
const workersSchema = z.array(z.enum(workers).nullable());

/** The use of functions with ffmpeg in all attempts of a job. Times are whole milliseconds. */
const functionUseSchema = z.object({
  /** Of transcode, from each claim until it ends, requeues or delegates the job. */
  workerMs: z.int().min(0),
  /** Of encode-chunk and join-chunks. */
  taskMs: z.int().min(0),
  /** Chunk tasks and joins that ran. */
  tasks: z.int().min(0),
  /** Executions of the state machines. */
  executions: z.int().min(0),
  /** Of Fargate tasks, from the time at which each took the job over. */
  fargateMs: z.int().min(0).optional(),
  /** Fargate tasks that took the job over. */
  fargateTasks: z.int().min(0).optional(),
  /** Of tasks of the pool, which has several jobs at once, in Spot capacity and on demand. */
  spotMs: z.int().min(0).optional(),
  onDemandMs: z.int().min(0).optional(),
});

export type FunctionUse = z.infer<typeof functionUseSchema>;

/** The worker of a job that its function leaves to another, and the reason as its owner reads it. */
const otherWorkerSchema = z.object({ name: z.literal('fargate'), reason: z.string() });

export type OtherWorkerChoice = z.infer<typeof otherWorkerSchema>;

const identity = { ownerId: z.string(), jobId: z.string() };

/** The events of a job until now. An entry of the feed whose event is not among them tells of a write that failed. */
const events = z.array(jobEventSchema).optional();

const common = {
  ...identity,
  events,
  request: jobRequestSchema,
  /** The version of the preset that the request is from, such as `course@2`. */
  preset: z.string().optional(),
  /** Signs the URLs of this API that open the job's files. No view shows it. */
  urlSecret: z.string(),
  attempt: z.int().min(0),
  progress: z.int().min(0).max(100),
  stage: z.enum(jobStages),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  startedAt: timestampSchema.optional(),
  claimedAt: timestampSchema.optional(),
  /** Milliseconds from the claim until each stage of the last attempt began. */
  stageMs: z.partialRecord(z.enum(jobStages), z.int()).optional(),
  retryOf: z.string().optional(),
  /** The batch that the job is of, and where its line begins in the manifest. */
  batch: z.object({ id: z.string(), at: z.int().min(0) }).optional(),
  destination: destinationSchema.optional(),
  /** Of an unfinished job this is the use of its ended attempts. */
  functionUse: functionUseSchema.optional(),
  /** The caps for which the cost of the job counts, as they were when it was created. */
  spendingCaps: z.array(spendingCapSchema).optional(),
  /** The caller whose usage counts the job, see `UsageGroup`. Undefined: a job of an earlier version. */
  caller: z.string().optional(),
  /** The id of the key that sent the request, also that of the job which this one retries. Undefined: a session did. */
  authorKeyId: z.string().optional(),
  /** `dueAt` is the time that the creation has set: the job was not checked since, and its index entry has not moved. */
  isFirstCheck: z.literal(true).optional(),
  /** `long` once the job is known to hold a worker for long; `economy` until it becomes a standard job; `batch` from a batch. */
  queue: z.enum([longJobsQueue, economyQueue, batchJobsQueue]).optional(),
};

/** A delivery that is not settled. When `dueAt` passes, reconcile starts its state machine again as number `starts` + 1. */
const pendingDeliverySchema = z.object({
  id: z.string(),
  starts: z.int().min(0),
  redelivery: z.boolean(),
  /** It is a later attempt: a redelivery of one attempt that nobody requested. */
  isLater: z.literal(true).optional(),
});

/** The attempts after an abandoned delivery, where the stage makes them. */
const laterAttemptsSchema = z.object({
  /** Those that have begun. */
  begun: z.int().min(0),
  /** When reconcile begins the next one. */
  nextAt: timestampSchema.optional(),
});

const ended = {
  ...common,
  completedAt: timestampSchema,
  webhookTarget: z.string().nullable(),
  pendingDelivery: pendingDeliverySchema.optional(),
  /** The redeliveries that were requested. */
  redeliveries: z.int().min(0).optional(),
  deliveryOutcome: z.enum(['delivered', 'abandoned', 'none']).optional(),
  /** Undefined before the first delivery is abandoned, and after a 2xx. */
  laterAttempts: laterAttemptsSchema.optional(),
  /** Of the first delivery; a redelivery closes its attempts in the journal. */
  deliveredAttempt: deliveredAttemptSchema.optional(),
  /** False until the job is counted in its owner's usage. */
  usageCounted: z.boolean().optional(),
  sweepAt: timestampSchema.optional(),
  /** When the next files end that no lifecycle rule removes. */
  removeAt: timestampSchema.optional(),
  dueAt: timestampSchema.optional(),
  /** Measured duration of a completed job's inputs. */
  mediaSeconds: z.number().min(0).optional(),
  chunking: chunkingSchema.optional(),
  workers: workersSchema.optional(),
  cost: jobCostSchema.optional(),
};

/** Encoded files that a storage provider did not accept. They wait in the media bucket for a retry of the job. */
const unpublishedSchema = z.object({ jobId: z.string(), attempt: z.int().min(1), result: jobResultSchema });

export type Unpublished = z.infer<typeof unpublishedSchema>;

/** Present if the stream of the job is encrypted, and as long as this job or a retry of it may encode it. */
const contentKey = contentKeySchema.optional();

const unfinished = {
  ...common,
  contentKey,
  /** Files of the retried job, which need no encoding. */
  unpublished: unpublishedSchema.optional(),
  /** The key of the publication whose files become visible at the storage provider. The job cannot be cancelled any more. */
  publishing: z.string().optional(),
  /** The job waited under the limit of long jobs after an attempt that found that it is long: that attempt does not count. */
  hasWaitedForLimit: z.literal(true).optional(),
  /** The file name that the host of the first input states. Names of outputs begin with it. */
  sourceName: z.string().optional(),
  /** Attempts that ended because the host of a source asked to come back later. They do not count. */
  hostWaits: z.int().min(1).optional(),
  /** Attempts that ended because a task of the pool was stopped. They do not count. */
  interruptions: z.int().min(1).optional(),
  completedSteps: completedStepsSchema.optional(),
  /** The share of each step in the work, as it is expected; whole numbers of any sum. */
  shares: z.array(z.int().min(0)).optional(),
  /** Undefined until decided. */
  workers: workersSchema.optional(),
  /** Why the video is not encoded in chunks again after a failed attempt. Of a pipeline: why the next step is not. */
  singlePassReason: z.string().optional(),
  /** Another worker processes the job, in every further attempt too. */
  otherWorker: otherWorkerSchema.optional(),
};

const queuedSchema = z.object({
  ...unfinished,
  state: z.literal('queued'),
  queuedAt: timestampSchema,
  resends: z.int().min(0),
  /** No worker claims the job before this time, for which the host of a source asked. */
  notBefore: timestampSchema.optional(),
  dueAt: timestampSchema,
});

const processingSchema = z.object({
  ...unfinished,
  state: z.literal('processing'),
  startedAt: timestampSchema,
  claimedAt: timestampSchema,
  /** The end of the encoding, by ffmpeg's estimate. */
  estimatedEndAt: timestampSchema.optional(),
  leaseId: z.string(),
  dueAt: timestampSchema,
  chunking: chunkingSchema.optional(),
  /** Dollars at which a job under caps is stopped, once its cost is reserved. Other workers of the job keep to it too. */
  costLimitUsd: z.number().positive().optional(),
  /** Dollars of the files that it is expected to leave, once estimated. Its functions may cost the rest of its limits. */
  filesUsd: z.number().min(0).optional(),
  /** The execution that encodes the chunks, and the number of its tasks: chunks, audio and join. */
  execution: z.object({ name: z.string(), taskCount: z.int().min(1) }).optional(),
  /** The execution that runs the whole job on another worker, and whether that has taken the job over. */
  delegation: z
    .object({ worker: z.literal('fargate'), execution: z.string(), hasStarted: z.literal(true).optional() })
    .optional(),
  /** A task of the pool has the job, in this capacity. */
  pool: z.enum(poolCapacities).optional(),
  /** Percent of each task; undefined until the job is delegated. */
  chunkProgress: z.record(z.string(), z.number().min(0).max(100)).optional(),
  /** Milliseconds of each task: the times of its runs. */
  taskMs: z.record(z.string(), z.int().min(0)).optional(),
  /** Seconds from the claim to the last record of each run of a task, until the run ends. */
  taskBeats: z.record(z.string(), z.int()).optional(),
  /** Counts the writes of `chunkProgress`, `taskMs` and `taskBeats`, which do not move `dueAt`. */
  progressVersion: z.int().min(0).optional(),
});

const completedSchema = z.object({
  ...ended,
  state: z.literal('completed'),
  files: z.record(z.string(), storedFileSchema),
  /** The end of the files that stay longest; null: they stay until the job is deleted. */
  filesExpireAt: timestampSchema.nullable(),
  inputSizeBytes: z.int().min(0).optional(),
  /** Values that the recipe measured, such as loudness. */
  measurements: z.record(z.string(), z.number()).optional(),
  /** Left out if there are none. */
  warnings: jobWarningsSchema.optional(),
  /** The publication of the files at the storage provider. */
  publication: z.string().optional(),
  ...ofOutputs,
});

/** Finished outputs of a job without a result. A retry takes them over until they are removed. */
const completedSteps = completedStepsSchema.optional();

const failedSchema = z.object({
  ...ended,
  state: z.literal('failed'),
  error: jobErrorSchema,
  unpublished: unpublishedSchema.optional(),
  completedSteps,
  contentKey,
});
const rejectedSchema = z.object({
  ...ended,
  state: z.literal('rejected'),
  error: jobErrorSchema,
  completedSteps,
  contentKey,
});
const cancelledSchema = z.object({ ...ended, state: z.literal('cancelled'), completedSteps, contentKey });

/** The tombstone of a deleted job: the API responds 404. It is kept until no function can write a file of the job any more. */
const deletedSchema = z.object({
  ...identity,
  state: z.literal('deleted'),
  events,
  destination: destinationSchema.optional(),
  publication: z.string().optional(),
  storedFiles: storedFilesToRemoveSchema.optional(),
  /** To be subtracted from the usage of the owner. If `usageCounted` is false, it may not have been added. */
  usage: jobUsageSchema.optional(),
  usageCounted: z.boolean().optional(),
  spendingCaps: z.array(spendingCapSchema).optional(),
  /** Until its entries in the index are removed. */
  metadata: z.record(z.string(), z.string()).optional(),
  deletedAt: timestampSchema,
  sweepAt: timestampSchema,
  dueAt: timestampSchema.optional(),
  /** Epoch seconds at which DynamoDB removes the tombstone: the time-to-live attribute. */
  expiresAt: z.int(),
});

/** What the delivery of a job's event changes: kept once more for each webhook endpoint. */
export const deliveryFieldsSchema = z.object({
  state: z.enum(terminalStates),
  webhookTarget: ended.webhookTarget,
  pendingDelivery: ended.pendingDelivery,
  deliveryOutcome: ended.deliveryOutcome,
  laterAttempts: ended.laterAttempts,
  redeliveries: ended.redeliveries,
  dueAt: ended.dueAt,
});

/** The record of a job: one item of the table. A field exists only in the states in which it has a meaning. */
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

/** Whether a job has ended. False for a tombstone. */
export function isTerminal(job: JobRecord): job is TerminalJob {
  return job.state !== 'queued' && job.state !== 'processing' && job.state !== 'deleted';
}

/** Whether the record is that of a processing job under this lease. If not, its worker and its chunk tasks must stop. */
export function holdsLease(leaseId: string, job: JobRecord | undefined): job is JobIn<'processing'> {
  return job?.state === 'processing' && job.leaseId === leaseId;
}
