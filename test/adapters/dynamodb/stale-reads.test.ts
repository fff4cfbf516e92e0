import type { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { aQueuedJob } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

/** A table with one job, and a list of its reads, `true` for a consistent one. The others do not see new items yet. */
async function aTableWithAStaleReplica({ isSeen }: { isSeen: boolean }) {
  const { client, tableName, stop } = await aDynaliteTable();
  onTestFinished(stop);
  const job = aQueuedJob();
  await jobTable(client, tableName).write({ job, guard: { absent: true } });
  const reads: boolean[] = [];
  const send = (command: GetItemCommand) => {
    const { ConsistentRead = false } = command.input;
    reads.push(ConsistentRead);
    return ConsistentRead || isSeen ? client.send(command) : Promise.resolve({});
  };
  return { job, reads, jobs: jobTable({ send } as unknown as DynamoDBClient, tableName) };
}

it('a read that may be stale costs one read that is not consistent', async () => {
  const { job, reads, jobs } = await aTableWithAStaleReplica({ isSeen: true });
  expect(await jobs.get(job, { mayBeStale: true })).toEqual(job);
  expect(reads).toEqual([false]);
});

it('a job that was just created is found by a read that may be stale', async () => {
  const { job, reads, jobs } = await aTableWithAStaleReplica({ isSeen: false });
  expect(await jobs.get(job, { mayBeStale: true })).toEqual(job);
  expect(reads).toEqual([false, true]);
});

it('any other read is consistent', async () => {
  const { job, reads, jobs } = await aTableWithAStaleReplica({ isSeen: false });
  expect(await jobs.get(job)).toEqual(job);
  expect(reads).toEqual([true]);
});
