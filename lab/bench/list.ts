import { randomBytes, randomUUID } from 'node:crypto';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import { createKeyRecord, newApiKey } from '../../core/access/key-record.ts';
import { withStageTable } from '../../lib/local/stage-table.ts';
import { type ApiCaller, apiCaller } from './harness/api/api-caller.ts';
import { type Benchmark, quantile } from './harness/figures/figure.ts';
import { medianRatio, type Samples } from './harness/figures/median-ratio.ts';
import { type HostedStage, hostedStage } from './harness/stage/hosted-stage.ts';
import { seedJobs } from './harness/stage/seed-jobs.ts';

const page = 20;
const sizes = { whole: [10, 10_000, 100_000], quick: [10, 1_000, 10_000] };
const warmUps = 50;
const samples = 300;
const goal = 1.2;

/** The time of a page of the list, by the number of the owner's jobs. */
export const list: Benchmark = {
  name: 'list',
  question: `How long is a page of ${page} jobs over HTTP, if the owner has ${sizes.whole.join(', ')}?`,
  baseline: 'the fastest of them; medians, measured alternately',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const stage = cleanup.use(await hostedStage());
    const owners: ApiCaller[] = [];
    for (const size of sizes[extent]) {
      owners.push(await anOwnerWith(stage, size));
      print(`  an owner with ${size} jobs is ready`);
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
      print(`  ${sizes[extent][index]} jobs: ${quantile(of, 0.5).toFixed(2)} ms (p50 of ${of.length})`);
    }
    return [medianRatio('list', slowestByFastest(times), goal)];
  },
};

async function pageMs({ call }: ApiCaller): Promise<number> {
  const startedAt = performance.now();
  await call({ method: 'GET', path: `/api/v1/jobs?limit=${page}` }, 200);
  return performance.now() - startedAt;
}

/** An API client of a new owner with so many jobs. */
async function anOwnerWith(stage: HostedStage, count: number): Promise<ApiCaller> {
  const apiKey = newApiKey(randomBytes);
  const ownerId = `owner-of-${count}`;
  const now = new Date();
  const record = createKeyRecord(apiKey, { ownerId, keyId: randomUUID(), name: 'bench', now });
  await withStageTable(stage, async (client, tableName) => {
    await keyTable(client, tableName).create(record);
    await seedJobs(client, { tableName, ownerId, count, now });
  });
  return apiCaller({ baseUrl: stage.baseUrl, apiKey });
}

/** The slowest compared with the fastest. */
function slowestByFastest(times: readonly (readonly number[])[]): Samples {
  const bySpeed = times.toSorted((one, other) => quantile(one, 0.5) - quantile(other, 0.5));
  return { subject: bySpeed.at(-1) ?? [], baseline: bySpeed[0] ?? [] };
}
