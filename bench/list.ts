import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { v7 } from 'uuid';
import { keyTable } from '../adapters/dynamodb/key-table.ts';
import { hashApiKey, newApiKey, previewApiKey } from '../core/access/api-key.ts';
import { region } from '../local/aws-names.ts';
import { type ApiCaller, apiCaller } from './harness/api-caller.ts';
import { type Benchmark, type Figure, quantile } from './harness/figure.ts';
import { type HostedStage, hostedStage } from './harness/hosted-stage.ts';
import { seedJobs } from './harness/seed-jobs.ts';

const page = 20;
const sizes = [10, 10_000, 100_000];
const warmUps = 50;
const samples = 300;
const goal = 1.2;

/** Whether a page of the list costs the same, however many jobs its owner has. */
export const list: Benchmark = {
  name: 'list',
  question: `How long is a page of ${page} jobs over HTTP, where the owner has ${sizes.join(', ')}?`,
  baseline: 'the fastest of them; medians, measured in turn',
  run: async (say) => {
    await using cleanup = new AsyncDisposableStack();
    const stage = cleanup.use(await hostedStage());
    const owners: ApiCaller[] = [];
    for (const size of sizes) {
      owners.push(await anOwnerWith(stage, size));
      say(`  an owner with ${size} jobs is there`);
    }
    cleanup.defer(() => {
      for (const { close } of owners) close();
    });
    const times = owners.map((): number[] => []);
    for (let round = -warmUps; round < samples; round++) {
      for (const [index, owner] of owners.entries()) {
        const took = await pageMs(owner);
        if (round >= 0) times[index]?.push(took);
      }
    }
    for (const [index, of] of times.entries()) {
      say(`  ${sizes[index]} jobs: ${quantile(of, 0.5).toFixed(2)} ms (p50 of ${of.length})`);
    }
    return [spread(times)];
  },
};

async function pageMs({ call }: ApiCaller): Promise<number> {
  const startedAt = performance.now();
  await call({ method: 'GET', path: `/api/v1/jobs?limit=${page}` }, 200);
  return performance.now() - startedAt;
}

/** A new owner with so many jobs, as a caller of the API. */
async function anOwnerWith(
  { endpoints, resources, baseUrl }: HostedStage,
  count: number,
): Promise<ApiCaller> {
  const [tableName = ''] = resources.tables;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials });
  const apiKey = newApiKey(randomBytes);
  const ownerId = `owner-of-${count}`;
  const now = new Date();
  try {
    await keyTable(client, tableName).create({
      ownerId,
      keyId: v7(),
      name: 'bench',
      hash: hashApiKey(apiKey),
      preview: previewApiKey(apiKey),
      createdAt: now.toISOString(),
    });
    await seedJobs(client, { tableName, ownerId, count, now });
  } finally {
    client.destroy();
  }
  return apiCaller({ baseUrl, apiKey });
}

/** The slowest median as a share of the fastest. */
function spread(times: readonly (readonly number[])[]): Figure {
  const medians = times.map((of) => quantile(of, 0.5));
  const fastest = Math.min(...medians);
  const ratio = Math.max(...medians) / fastest;
  const shares = times.flatMap((of) => of.map((ms) => ms / fastest));
  return {
    name: 'list',
    ratio,
    low: quantile(shares, 0.25),
    high: quantile(shares, 0.75),
    goal,
    met: ratio <= goal,
  };
}
