import type { Use } from '../core/api/contract.ts';
import { createJobContract } from '../core/api/create-job.ts';
import type { WorkerUse } from './grants.ts';

/** Of a worker that stores the outputs of a job and ends it. The update lets the job leave the limit of running ones. */
const endingUses = [
  'table.get',
  'table.put',
  'table.update',
  'waiting.query',
  'uploads.get',
  'outputs.put',
  'media.list',
  'media.delete',
  'work.get',
  'work.put',
  'work.delete',
  'contentKeys.decrypt',
  'buckets.read',
  'buckets.write',
] as const;

/**
 * What the sessions of the role `TranscodeJob` may do with one owner and one job: for the workers that run ffmpeg, which have
 * no access to items and files of their own.
 */
export const jobUses = {
  transcode: [...endingUses, 'outputs.get'],
  fargateTask: [...endingUses, 'outputs.get'],
  // The update records the progress of a chunk.
  encodeChunk: [
    'table.get',
    'table.update',
    'uploads.get',
    // The output of a step that another one reads.
    'outputs.get',
    'work.get',
    'buckets.read',
    'work.put',
    'media.list',
    'work.delete',
  ],
  // The joined file is compared with an uploaded source in place. An assembled one is read to verify it.
  joinChunks: [...endingUses, 'outputs.get'],
} as const satisfies Record<string, readonly (Use | WorkerUse)[]>;

/** The resource accesses of each worker of its own. Routes declare theirs in their contracts. */
export const workerUses = {
  transcode: [
    'jobs.open',
    'queue.send',
    'deliveries.start',
    'work.price',
    'work.estimate',
    'parallel.start',
    'parallel.describe',
  ],
  fargateTask: ['jobs.open', 'queue.send', 'deliveries.start', 'work.price', 'work.estimate'],
  encodeChunk: ['jobs.open', 'work.price', 'parallel.answer', 'encodeChunk.send'],
  joinChunks: ['jobs.open', 'queue.send', 'deliveries.start', 'work.price', 'parallel.answer'],
  // Claims the next job: the updates count it as a running one. Opens the storage providers of its owner for it.
  openJob: ['table.get', 'table.put', 'table.update', 'waiting.query', 'queue.send', 'secrets.decrypt', 'roles.assume'],
  // The first delivery creates the owner's signing secret by an update.
  deliverWebhook: [
    'table.get',
    'table.put',
    'table.update',
    'files.link',
    'webhooks.post',
    'deliveries.start',
    'deliveries.retry',
    'events.publish',
  ],
  // Submits jobs as a route does, and cancels them as another one.
  runBatch: [
    ...createJobContract.uses,
    'uploads.get',
    'media.list',
    'buckets.read',
    'batches.get',
    'batches.put',
    'deliveries.start',
    'work.price',
    'work.estimate',
    'parallel.stop',
  ],
  // Of a stage with watches: the function of batches lists their objects too.
  backfill: ['watches.list', 'watches.get', 'watches.record', 'buckets.watch', 'secrets.decrypt', 'roles.assume'],
  maintainEdge: ['edge.maintain'],
  // Makes jobs as the route does, of what the providers of owners list.
  watch: [
    ...createJobContract.uses,
    'watches.list',
    'watches.get',
    'watches.record',
    'buckets.watch',
    'secrets.decrypt',
    'roles.assume',
  ],
  reconcile: [
    'table.get',
    'table.query',
    'table.put',
    'table.update',
    'waiting.query',
    'table.batchWrite',
    'due.query',
    'queue.send',
    'media.list',
    'work.get',
    'secrets.decrypt',
    'roles.assume',
    'buckets.remove',
    'media.delete',
    'uploads.delete',
    'keys.query',
    'keys.batchDelete',
    'work.delete',
    'deliveries.start',
    'work.price',
    'deliveries.retry',
    'parallel.describe',
    'batches.start',
    'pool.start',
  ],
} as const satisfies Record<string, readonly (Use | WorkerUse)[]>;
