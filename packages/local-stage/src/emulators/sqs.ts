import { buildApp } from 'fauxqs';
import { account, arn, region } from '../aws-names.ts';
import { rejectForeignRequests } from '../http-server.ts';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import type { QueueMessage } from '../permissions/guard-invocations.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { callEmulator } from './aws-json.ts';
import type { Emulator } from './emulator.ts';
import { type MessageTraces, messageTraces } from './message-traces.ts';
import type { Traffic } from './traffic.ts';

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;

type Persistence = {
  loadSqsAndSns(sqs: Stores['sqsStore'], sns: Stores['snsStore']): void;
  close(): void;
};

/** Starts fauxqs, with its queues and messages in an SQLite file in `directory`. */
export async function startSqs(
  directory: string,
  traffic: Traffic,
  guard: PermissionGuard = permissionGuard(),
): Promise<Emulator & { traces: MessageTraces }> {
  const { stores, persistence } = await loadStores(directory);
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  guard.watch('sqs', app.server);
  const traces = messageTraces();
  traces.watch(app.server);
  traffic.watch('sqs', app.server);
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  rejectForeignRequests(app.server, { port: Number(new URL(endpoint).port), pages: 'none' });
  return {
    endpoint,
    traces,
    async stop() {
      await app.close();
      persistence.close();
    },
  };
}

/**
 * Creates stores that load from and write through to the file. `startFauxqs` does this too, but listens on every
 * interface. The modules are imported by path, because the package exports only the app.
 */
async function loadStores(directory: string): Promise<{ stores: Stores; persistence: Persistence }> {
  const load = (path: string) => import(new URL(path, import.meta.resolve('fauxqs')).href);
  const [{ SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }] = await Promise.all([
    load('./sqs/sqsStore.js'),
    load('./sns/snsStore.js'),
    load('./s3/s3Store.js'),
    load('./persistence.js'),
  ]);
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const persistence = new PersistenceManager(directory);
  // Without a disk flush for each message. A killed process still loses none: sqlite.org/pragma.html#pragma_synchronous.
  persistence.db.exec('PRAGMA synchronous = NORMAL');
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  stores.sqsStore.persistence = persistence;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = persistence;
  // Queue URLs then use the host of the request, which resolves on every machine.
  stores.sqsStore.host = '';
  return { stores, persistence };
}

/** Creates missing queues, and sets the attributes of the template. */
export async function createQueues(endpoint: string, queues: StagePlan['queues']): Promise<void> {
  const list = { endpoint, target: 'AmazonSQS.ListQueues', body: {} };
  const { QueueUrls = [] } = await callEmulator<{ QueueUrls?: string[] }>(list);
  const existing = new Set(QueueUrls.map((url) => url.split('/').at(-1)));
  await Promise.all(
    queues.map(async ({ name, QueueName: _, RedrivePolicy, ...attributes }) => {
      // CreateQueue of an existing FIFO queue fails if its attributes differ from the defaults.
      if (!existing.has(name)) {
        await callEmulator({ endpoint, target: 'AmazonSQS.CreateQueue', body: { QueueName: name } });
      }
      const strings = Object.entries(attributes).map(([key, value]) => [key, String(value)]);
      await callEmulator({
        endpoint,
        target: 'AmazonSQS.SetQueueAttributes',
        body: {
          QueueUrl: queueUrl(endpoint, name),
          Attributes: {
            ...Object.fromEntries(strings),
            // An empty policy removes that of an earlier template.
            RedrivePolicy: RedrivePolicy ? JSON.stringify(RedrivePolicy) : '',
          },
        },
      });
    }),
  );
}

export async function sendMessage(endpoint: string, message: QueueMessage): Promise<void> {
  await callEmulator({ endpoint, target: 'AmazonSQS.SendMessage', body: message });
}

export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/${account}/${name}`;
}

export function queueNameFromArn(queueArn: string): string {
  return queueArn.replace(arn('sqs', ''), '');
}
