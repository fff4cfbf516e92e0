import type { Use } from '../core/api/contract.ts';
import type { WorkerUse } from './grants.ts';

/** The resource accesses of each worker. Routes declare theirs in their contracts. */
export const workerUses = {
  // The updates take and free the slots of running jobs.
  transcode: [
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
    'deliveries.start',
    'parallel.start',
    'parallel.describe',
  ],
  // The update records the progress of a chunk.
  encodeChunk: [
    'table.get',
    'table.update',
    'uploads.get',
    'work.get',
    'work.put',
    'media.list',
    'work.delete',
    'parallel.answer',
  ],
  joinChunks: [
    'table.get',
    'table.put',
    'table.update',
    'waiting.query',
    'queue.send',
    'work.get',
    'outputs.put',
    'media.list',
    'media.delete',
    'work.delete',
    'deliveries.start',
    'parallel.answer',
  ],
  // The first delivery creates the owner's signing secret by an update.
  deliverWebhook: ['table.get', 'table.put', 'table.update', 'media.get', 'webhooks.post'],
  reconcile: [
    'table.get',
    'table.query',
    'table.put',
    'table.update',
    'waiting.query',
    'table.batchDelete',
    'due.query',
    'queue.send',
    'media.list',
    'media.delete',
    'work.delete',
    'deliveries.start',
    'parallel.describe',
  ],
} as const satisfies Record<string, readonly (Use | WorkerUse)[]>;
