import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { deliveryJournal, endpointDeliveries } from '../../../adapters/dynamodb/delivery-journal.ts';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { slowDeliveries } from '../../../adapters/dynamodb/slow-deliveries.ts';
import { spendingCounters } from '../../../adapters/dynamodb/spending-counters.ts';
import { usageCounters } from '../../../adapters/dynamodb/usage-counters.ts';
import { postWebhook } from '../../../adapters/http/post-webhook.ts';
import type { TerminalJob } from '../../../core/jobs/record.ts';
import type { PostLimits } from '../../../core/net/ports.ts';
import type { BusEvent, DeliveryRef, DeliveryRetry } from '../../../core/webhooks/delivery.ts';
import { beginDelivery, type DeliverWebhookResult, deliverWebhook } from '../../../functions/deliver-webhook/app.ts';
import type { DeliverWebhookDeps } from '../../../functions/deliver-webhook/attempt.ts';
import { loopback } from '../../adapters/http/builders/networks.ts';
import { generous } from '../../adapters/http/builders/posts.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

/**
 * The app on a real table and real connections, with one ended job. Only the clock is virtual; it starts at the current
 * time, so that receivers accept the timestamps.
 */
export async function aDeliveryStage({
  job,
  limits = {},
  laterAttemptsMs = [],
}: {
  job: TerminalJob;
  limits?: Partial<PostLimits>;
  laterAttemptsMs?: readonly number[];
}) {
  const table = await aDynaliteTable();
  const clock = aVirtualClock(new Date());
  const jobs = jobTable(table.client, table.tableName);
  const journal = deliveryJournal(table.client, table.tableName);
  const settings = settingsTable(table.client, table.tableName);
  const published: BusEvent[] = [];
  const started: { name: string; input: DeliveryRetry }[] = [];
  const sent: DeliveryRef[] = [];
  let ids = 0;
  const ports: DeliverWebhookDeps = {
    jobs,
    usage: usageCounters(table.client, table.tableName),
    spending: spendingCounters(table.client, table.tableName),
    journal,
    endpointDeliveries: endpointDeliveries(table.client, table.tableName),
    onDeliveryStartFailed: () => undefined,
    settings,
    clock,
    files: { publicUrl: 'https://api.example', fileUrlSeconds: 3_600, setUrlSeconds: 86_400 },
    post: (request) =>
      postWebhook({ ...request, schemes: ['http'], reachable: loopback, limits: { ...generous, ...limits } }),
    newId: () => `writer-${++ids}`,
    randomBytes: (size) => new Uint8Array(size).fill(7),
    userAgent: 'media-jobs/1.2.3',
    slowDeliveries: slowDeliveries(table.client, table.tableName),
    maxSlowDeliveries: 2,
    deliveries: { send: async (delivery) => void sent.push(delivery) },
    random: () => 0.5,
    laterAttemptsMs,
    eventBus: { publish: async (event) => void published.push(event) },
    onPublishFailed: () => undefined,
    onMarkFailed: () => undefined,
  };
  await jobs.write({ job, guard: { absent: true } });

  const { ownerId, jobId } = job;
  const deliveryId = job.pendingDelivery?.id ?? 'none';
  /** One call of the function by the state machine. */
  const attempt = (n = 1, notBefore = clock.now().getTime()): Promise<DeliverWebhookResult> =>
    deliverWebhook(ports)({ ownerId, jobId, deliveryId, attempt: n, notBefore });
  /** One message of the delivery queue. */
  const begin = (): Promise<DeliverWebhookResult> => {
    const start = async (execution: (typeof started)[number]) => {
      started.push(execution);
      return 'started' as const;
    };
    return beginDelivery({ ...ports, retries: { start } })({ ownerId, jobId, deliveryId });
  };
  /** Makes all attempts as the state machine does: waits the whole seconds of a result and calls again. */
  const deliver = async (): Promise<DeliverWebhookResult> => {
    let result = await attempt();
    while (result.status === 'retry') {
      clock.pass(result.waitSeconds * 1_000);
      result = await attempt(result.attempt, result.notBefore);
    }
    return result;
  };
  return {
    ports,
    clock,
    attempt,
    begin,
    deliver,
    /** The next message of the queue, and the attempts that follow it. */
    deliverSent: async (): Promise<DeliverWebhookResult> => {
      const next = sent.shift();
      if (next === undefined) throw new Error('Nothing was sent');
      const to = deliverWebhook(ports);
      let result = await to({ ...next, attempt: 1, notBefore: clock.now().getTime() });
      while (result.status === 'retry') {
        clock.pass(result.waitSeconds * 1_000);
        result = await to({ ...next, attempt: result.attempt, notBefore: result.notBefore });
      }
      return result;
    },
    published,
    sent,
    started,
    record: () => jobs.get({ ownerId, jobId }),
    attempts: () => journal.list({ ownerId, jobId }),
    settings,
    journal,
    jobs,
  };
}
