import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { concurrencyLimits } from '../../adapters/dynamodb/concurrency-limits.ts';
import { deliveryJournal, endpointDeliveries } from '../../adapters/dynamodb/delivery-journal.ts';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { webhookTestSort } from '../../adapters/dynamodb/table-keys.ts';
import { ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import type { JobRecord } from '../../core/jobs/record.ts';
import type { DeliveryRef } from '../../core/webhooks/delivery.ts';
import { aDynaliteTable } from './storage/dynalite-table.ts';

/** The dependencies of the webhook routes: a real table with these jobs, and a list of the deliveries started. */
export async function webhookRouteDeps(jobs: JobRecord[] = []) {
  const { client, tableName } = await aDynaliteTable();
  const table = jobTable(client, tableName);
  for (const job of jobs) await table.write({ job, guard: { absent: true } });
  const started: DeliveryRef[] = [];
  let ids = 0;
  return {
    jobs: table,
    journal: deliveryJournal(client, tableName),
    endpointDeliveries: endpointDeliveries(client, tableName),
    reservations: idempotencyTable(client, tableName),
    settings: settingsTable(client, tableName),
    files: { publicUrl: 'https://media.example', fileUrlSeconds: 3_600, setUrlSeconds: 86_400 },
    clock: aVirtualClock(new Date('2026-03-01T13:00:00.000Z')),
    newId: () => `id-${++ids}`,
    deliveries: { send: async (delivery: DeliveryRef) => void started.push(delivery) },
    onDeliveryStartFailed: () => {},
    limits: ownerLimitsSchema.parse({}),
    concurrency: concurrencyLimits(client, tableName, webhookTestSort),
    started,
  };
}

const common = { query: undefined, headers: undefined, rawBody: undefined };

/** A validated request of an owner, as a route passes it to its app. */
export function aRouteRequest<Params = undefined, Body = undefined>(
  request: { params?: Params; body?: Body; ownerId?: string } = {},
) {
  const { params, body, ownerId = 'owner-1' } = request;
  const principal = { ownerId, caller: 'session' as const };
  return { ...common, params: params as Params, body: body as Body, principal };
}
