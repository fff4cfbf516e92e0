import * as z from 'zod';
import { poolCapacities } from '../jobs/queues.ts';
import { objectOptions } from '../storage/object-options.ts';

const refSchema = z.object({ ownerId: z.string(), jobId: z.string() });
const leaseSchema = refSchema.extend({ leaseId: z.string() });

/** Uploads in one request: their answer is far below the 6 MB of an invocation, and they begin within its time. */
export const maxPlannedUploads = 100;
/** Parts whose requests are signed in one request, each of 600 bytes at most. */
export const maxSignedParts = 2_000;

/** An upload to begin at a storage provider. */
const plannedSchema = z.object({
  key: z.string(),
  mimeType: z.string(),
  mark: z.string(),
  ...objectOptions,
  parts: z.number().int().min(0),
});

/** An object, or an upload of it that was begun, whose requests are to be signed. Parts are counted from `firstPart`. */
const begunSchema = z.object({
  key: z.string(),
  uploadId: z.string().optional(),
  firstPart: z.number().int().min(1),
  parts: z.number().int().min(0),
});

/**
 * What a worker asks open-job for: the next job, for a message of the queue or a task of the pool; the job whose lease it holds; or, with that
 * lease, uploads to a storage provider by keys.
 */
export const openJobRequestSchema = z.union([
  z.strictObject({ message: refSchema }),
  z.strictObject({ pool: z.enum(poolCapacities) }),
  z.strictObject({
    lease: leaseSchema,
    storageProviderId: z.string(),
    uploads: z.array(z.union([plannedSchema, begunSchema])).max(maxPlannedUploads),
  }),
  z.strictObject({ lease: leaseSchema }),
]);

export type OpenJobRequest = z.infer<typeof openJobRequestSchema>;
export type UploadsRequest = Extract<OpenJobRequest, { storageProviderId: string }>;

/** Temporary credentials. A client reads in `expiration` when to ask for new ones. */
const credentialsSchema = z.object({
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  sessionToken: z.string(),
  expiration: z.coerce.date(),
});

/** A request of one object, signed in its URL (Signature Version 4). Valid for an hour. */
const signedSchema = z.object({ method: z.enum(['GET', 'HEAD', 'PUT', 'POST', 'DELETE']), url: z.string() });

export type SignedRequest = z.infer<typeof signedSchema>;

/** Access to a storage provider: a session of its role for bucket and prefix, requests of a job's inputs, or AWS's refusal. */
const providerAccessSchema = z.union([
  z.object({ credentials: credentialsSchema }),
  z.object({ signed: z.array(signedSchema) }),
  z.object({
    refused: z.object({ code: z.string(), status: z.number().optional(), disabledRegion: z.string().optional() }),
  }),
]);

export type OpenedProvider = z.infer<typeof providerAccessSchema>;

/** What open-job answers: null if there is no job for the worker, or if the lease is lost. */
export const openJobAnswerSchema = z
  .object({
    /** The record, in the format of `node:v8`: JSON has no dates. */
    job: z.base64(),
    credentials: credentialsSchema,
    /** By id: the providers that the job reads or writes. */
    providers: z.record(z.string(), providerAccessSchema),
  })
  .nullable();

/** What open-job answers to uploads: their ids, undefined where none was begun, or why the provider did not begin them. */
export const uploadsAnswerSchema = z
  .union([
    z.object({ uploadIds: z.array(z.string().nullable()), signed: z.array(signedSchema) }),
    z.object({ failed: z.object({ message: z.string(), retryable: z.boolean() }) }),
  ])
  .nullable();
