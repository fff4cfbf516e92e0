import type { Use } from '../core/api/contract.ts';
import type { WorkerUse } from './grants.ts';

/** Of a worker that stores the outputs of a job and ends it. The updates take and free the slots of running jobs. */
const endingUses = [
  'table.get',
  'table.put',
  'table.update',
  'waiting.query',
  'queue.send',
  'uploads.get',
  'outputs.put',
  'media.list',
  'media.delete',
  'work.get',
  'work.put',
  'work.delete',
  'secrets.decrypt',
  'contentKeys.decrypt',
  'roles.assume',
  'buckets.read',
  'buckets.write',
  'deliveries.start',
  'work.price',
] as const;

/** Of a worker that encodes whole jobs. */
const encodingUses = [...endingUses, 'work.estimate'] as const;

/** The resource accesses of each worker. Routes declare theirs in their contracts. */
export const workerUses = {
  transcode: [...encodingUses, 'outputs.get', 'parallel.start', 'parallel.describe'],
  fargateTask: [...encodingUses, 'outputs.get'],
  // The update records the progress of a chunk.
  encodeChunk: [
    'table.get',
    'table.update',
    'uploads.get',
    // The output of a step that another one reads.
    'outputs.get',
    'work.get',
    'secrets.decrypt',
    'roles.assume',
    'buckets.read',
    'work.put',
    'media.list',
    'work.delete',
    'work.price',
    'parallel.answer',
    'encodeChunk.send',
  ],
  // The joined file is compared with an uploaded source in place. An assembled one is read to verify it.
  joinChunks: [...endingUses, 'outputs.get', 'parallel.answer'],
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
    'work.delete',
    'deliveries.start',
    'work.price',
    'deliveries.retry',
    'parallel.describe',
  ],
} as const satisfies Record<string, readonly (Use | WorkerUse)[]>;
