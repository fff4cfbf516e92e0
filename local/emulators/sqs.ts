import { buildApp } from 'fauxqs';
import { account, arn, region } from '../aws-names.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { callEmulator } from './aws-json.ts';
import type { Emulator } from './emulator.ts';
import type { Traffic } from './traffic.ts';

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;

type Persistence = {
  loadSqsAndSns(sqs: Stores['sqsStore'], sns: Stores['snsStore']): void;
  close(): void;
};

/** fauxqs, with its queues and messages in an SQLite file under `directory`. */
export async function startSqs(directory: string, traffic: Traffic): Promise<Emulator> {
  const { stores, persistence } = await storesIn(directory);
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  traffic.watch('sqs', app.server);
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    endpoint,
    async stop() {
      await app.close();
      persistence.close();
    },
  };
}

/**
 * The stores, filled from the file and written through to it. `startFauxqs` does this too, but listens on every
 * interface, so its parts are loaded by path: the package exports only the app.
 */
async function storesIn(directory: string): Promise<{ stores: Stores; persistence: Persistence }> {
  const part = (path: string) => import(new URL(path, import.meta.resolve('fauxqs')).href);
  const [{ SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }] = await Promise.all([
    part('./sqs/sqsStore.js'),
    part('./sns/snsStore.js'),
    part('./s3/s3Store.js'),
    part('./persistence.js'),
  ]);
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const persistence = new PersistenceManager(directory);
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  stores.sqsStore.persistence = persistence;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = persistence;
  // Queue URLs then carry the address that the caller used, which resolves everywhere.
  stores.sqsStore.host = '';
  return { stores, persistence };
}

/** Creates the queues that do not exist yet, and gives each the attributes of its template. */
export async function createQueues(endpoint: string, queues: StagePlan['queues']): Promise<void> {
  await Promise.all(
    queues.map(async ({ name, QueueName: _, RedrivePolicy, ...attributes }) => {
      await callEmulator({ endpoint, target: 'AmazonSQS.CreateQueue', body: { QueueName: name } });
      const texts = Object.entries(attributes).map(([key, value]) => [key, String(value)]);
      await callEmulator({
        endpoint,
        target: 'AmazonSQS.SetQueueAttributes',
        body: {
          QueueUrl: queueUrl(endpoint, name),
          Attributes: {
            ...Object.fromEntries(texts),
            // An empty policy takes away one that an earlier template gave.
            RedrivePolicy: RedrivePolicy ? JSON.stringify(RedrivePolicy) : '',
          },
        },
      });
    }),
  );
}

/** The URL of a queue by its name. */
export function queueUrl(endpoint: string, name: string): string {
  return `${endpoint}/${account}/${name}`;
}

/** The name of a queue by its ARN. */
export function queueNameOf(queueArn: string): string {
  return queueArn.replace(arn('sqs', ''), '');
}
