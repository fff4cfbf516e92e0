import type { Use } from '../core/api/contract.ts';
import type { WorkerUse } from './grants.ts';

/** What each function behind the API does with the stage's resources; a route says so in its contract. */
export const workerUses = {
  transcode: [
    'table.get',
    'table.put',
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
  // The update of a part notes how far it is.
  encodeChunk: [
    'table.get',
    'table.update',
    'uploads.get',
    'work.get',
    'work.put',
    'media.list',
    'work.delete',
  ],
  joinChunks: [
    'table.get',
    'table.put',
    'table.update',
    'queue.send',
    'work.get',
    'outputs.put',
    'media.list',
    'media.delete',
    'work.delete',
    'deliveries.start',
  ],
  // The update creates an owner's signing secret at the first delivery.
  deliverWebhook: ['table.get', 'table.put', 'table.update', 'media.get', 'webhooks.post'],
  reconcile: [
    'table.get',
    'table.query',
    'table.put',
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
