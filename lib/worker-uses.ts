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
    'deliveries.start',
  ],
} as const satisfies Record<string, readonly (Use | WorkerUse)[]>;
