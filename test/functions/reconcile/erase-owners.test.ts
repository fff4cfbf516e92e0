import { type AttributeValue, type DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../../adapters/dynamodb/audit-log.ts';
import { deliveryJournal } from '../../../adapters/dynamodb/delivery-journal.ts';
import { erasureRequests, erasures } from '../../../adapters/dynamodb/erasures.ts';
import { jobLogs } from '../../../adapters/dynamodb/job-logs.ts';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { metadataIndex } from '../../../adapters/dynamodb/metadata-index.ts';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { storageProviderTable } from '../../../adapters/dynamodb/storage-provider-table.ts';
import { createKeyRecord } from '../../../core/access/key-record.ts';
import { eraseOwner } from '../../../functions/keys/keys.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { eraseOwners } from '../../../functions/reconcile/erase-owners.ts';
import { aCompletedJob, aFailedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, aRequest, later } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const table = await aDynaliteTable();

/** The keys of all items that tell of an owner. */
async function itemsOf(ownerId: string): Promise<string[]> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.tableName }));
  const keyOf = ({ pk, sk }: Record<string, AttributeValue>) => `${pk?.S} ${sk?.S}`;
  return Items.filter((item) => JSON.stringify(item).includes(ownerId)).map(keyOf);
}

/** A client whose calls fail from the given one on, as those of a function that was killed. */
function killedAfter(client: DynamoDBClient, calls: number): DynamoDBClient {
  let sent = 0;
  const send = (...command: Parameters<DynamoDBClient['send']>) => {
    sent += 1;
    if (sent > calls) throw new Error('The function was killed');
    return client.send(...command);
  };
  return new Proxy(client, { get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)) });
}

/** An owner with everything that the service stores, and a neighbour with the same. */
async function anOwner(ownerId: string) {
  const { client, tableName } = table;
  const put = (pk: string, sk: string) =>
    client.send(new PutItemCommand({ TableName: tableName, Item: { pk: { S: pk }, sk: { S: sk } } }));
  const jobs = jobTable(client, tableName);
  const request = { ...aRequest, metadata: { order: `17 of ${ownerId}` } };
  const all = [
    aQueuedJob({ ownerId, jobId: aJobId(1), request }),
    aProcessingJob({ ownerId, jobId: aJobId(2) }),
    aCompletedJob({ ownerId, jobId: aJobId(3), request }),
    aFailedJob({ ownerId, jobId: aJobId(4) }),
  ];
  for (const job of all) {
    await jobs.write({ job, guard: { absent: true } });
    const { metadata } = job.request;
    if (metadata) await metadataIndex(client, tableName).add({ ...job, metadata });
    await put(`OWNER#${ownerId}#${job.jobId}`, 'LOG#1');
    await put(`OWNER#${ownerId}#${job.jobId}`, 'PLAYBACK');
  }
  await put(`OWNER#${ownerId}#PRESETS`, 'web#000001');
  await put(`OWNER#${ownerId}#USAGE`, '2026-11-20#1#compress#session');
  await put(`OWNER#${ownerId}#RUNNING#0`, 'SLOTS');
  await settingsTable(client, tableName).change(ownerId, { defaultWebhookUrl: 'https://a.example' }, later(0));
  await storageProviderTable(client, tableName).create(aStorageProvider({ ownerId }));
  const key = createKeyRecord(`nte_${ownerId.padEnd(48, 'x')}`, {
    ownerId,
    keyId: aJobId(9),
    name: 'ci',
    now: later(0),
  });
  await keyTable(client, tableName).create(key);
  await auditLog(client, tableName).append(ownerId, {
    id: 'a',
    at: later(0).toISOString(),
    actor: 's',
    action: 'b',
    target: 'c',
  });
}

/** The runs of reconcile, half an hour apart. `killed` ends an erasure after so many calls. */
function runs() {
  const { client, tableName } = table;
  const clock = aVirtualClock(later(600_000));
  const jobs = jobTable(client, tableName);
  const removed: string[] = [];
  const files = {
    ...reconcileDeps().files,
    removeAll: async (prefix: string) => {
      removed.push(prefix);
      return 'complete' as const;
    },
  };
  const deps = reconcileDeps({
    ...{ jobs, clock, files, journal: deliveryJournal(client, tableName), logs: jobLogs(client, tableName) },
    metadataIndex: metadataIndex(client, tableName),
    onFailure: () => undefined,
    onQueryFailure: () => undefined,
  });
  const eraseWith = (by: DynamoDBClient) => {
    const stored = { jobs: jobTable(by, tableName), erasures: erasures(by, tableName), keys: keyTable(by, tableName) };
    return eraseOwners({ ...deps, ...stored, maxRunningJobs: 16, onFailure: () => undefined });
  };
  const killed = (calls: number) => eraseWith(killedAfter(client, calls))(later(86_400_000)).catch(() => 1);
  const run = async () => {
    const until = new Date(clock.now().getTime() + 50_000);
    await reconcile(deps)(until);
    await eraseWith(client)(until);
    await clock.sleep(1_800_000);
  };
  return { run, removed, killed };
}

async function request(ownerId: string) {
  const { client, tableName } = table;
  const stored = { erasures: erasureRequests(client, tableName), keys: keyTable(client, tableName) };
  const route = eraseOwner({ ...stored, clock: { now: () => later(600_000) } });
  const ask = (confirm: string) => route({ body: { confirm }, principal: { ownerId, caller: 'session' } } as never);
  await expect(ask('somebody')).rejects.toMatchObject({ details: [{ path: 'confirm' }] });
  return ask(ownerId);
}

describe('the erasure of an owner', () => {
  it('leaves nothing but the audit log within a day, and nothing of another owner changes', async () => {
    for (const ownerId of ['erin', 'frank']) await anOwner(ownerId);
    // Reconcile requeues the job that nobody processes, which is an event.
    const keptOfFrank = async () => (await itemsOf('frank')).filter((key) => !key.includes('#EVENTS'));
    const before = await keptOfFrank();
    expect(await request('erin')).toMatchObject({
      status: 202,
      body: { requestedAt: later(600_000).toISOString(), endsBy: later(600_000 + 86_400_000).toISOString() },
    });
    const left = await itemsOf('erin');
    expect(left.filter((key) => key.startsWith('KEY'))).toEqual([]);
    expect(await request('erin')).toMatchObject({ body: { requestedAt: later(600_000).toISOString() } });
    const { run, removed } = runs();
    for (let n = 0; n < 3; n += 1) await run();
    expect(await itemsOf('erin')).toEqual(['OWNER#erin#AUDIT a']);
    expect(await keptOfFrank()).toEqual(before);
    expect(removed).toContain('uploads/erin/');
    expect(removed).toContain(`jobs/${aJobId(3)}/`);
  });

  it('goes on wherever a run was killed', async () => {
    await anOwner('grace');
    await request('grace');
    const { run, killed } = runs();
    for (let calls = 0; calls < 20; calls += 1) await killed(calls);
    for (let n = 0; n < 2; n += 1) await run();
    for (let calls = 0; calls < 20; calls += 1) await killed(calls);
    await run();
    expect(await itemsOf('grace')).toEqual(['OWNER#grace#AUDIT a']);
  });
});
