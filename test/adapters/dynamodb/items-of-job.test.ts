import { zstdCompressSync } from 'node:zlib';
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { deliveryJournal } from '../../../adapters/dynamodb/delivery-journal.ts';
import { toItem } from '../../../adapters/dynamodb/item.ts';
import { jobLogs } from '../../../adapters/dynamodb/job-logs.ts';
import type { AttemptLog } from '../../../core/jobs/attempt-log.ts';
import { aJobId, later } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

/** A table with an item in the owner's partition, where earlier versions wrote the items of a job. */
async function aTableWith(sk: string, fields: object) {
  const { client, tableName: TableName, stop } = await aDynaliteTable();
  onTestFinished(stop);
  const Item = toItem({ pk: 'OWNER#owner-1', sk, ...fields });
  await client.send(new PutItemCommand({ TableName, Item }));
  const partitions = async () => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    return Items.map(({ pk }) => pk?.S).sort();
  };
  return { store: [client, TableName] as const, partitions };
}

const ref = { ownerId: 'owner-1', jobId: aJobId(1) };
const partitionOfJob = `OWNER#owner-1#${ref.jobId}`;

it('logs of earlier versions are listed and removed with those of today', async () => {
  const aLog = (attempt: number): AttemptLog => ({ attempt, ffmpegVersion: '7.1', commands: [], log: '' });
  const content = zstdCompressSync(JSON.stringify(aLog(1)));
  const { store, partitions } = await aTableWith(`LOG#${ref.jobId}#1`, { content });
  const logs = jobLogs(...store);
  await logs.put(ref, aLog(2), later(0));
  expect(await partitions()).toEqual(['OWNER#owner-1', partitionOfJob]);
  expect(await logs.list(ref)).toEqual([aLog(1), aLog(2)]);
  await logs.removeAll(ref);
  expect(await partitions()).toEqual([]);
});

it('delivery attempts of earlier versions are read, listed and removed with those of today', async () => {
  const attempt = {
    ...ref,
    deliveryId: 'delivery-1',
    attempt: 1,
    writerId: 'writer-1',
    startedAt: later(0).toISOString(),
    url: 'https://receiver.example/hook',
    expiresAt: 1_800_000_000,
  };
  const { store, partitions } = await aTableWith(`DELIVERY#${ref.jobId}#delivery-1#1`, attempt);
  const journal = deliveryJournal(...store);
  await journal.open({ ...attempt, attempt: 2 });
  expect(await partitions()).toEqual(['OWNER#owner-1', partitionOfJob]);
  expect(await journal.get(attempt)).toEqual(attempt);
  const both = [attempt, { ...attempt, attempt: 2 }];
  expect(await journal.list({ ...ref, deliveryId: 'delivery-1' })).toEqual(both);
  expect(await journal.listLatest(ref, 1)).toEqual(both.slice(1));
  await journal.removeAll(ref);
  expect(await partitions()).toEqual([]);
});
