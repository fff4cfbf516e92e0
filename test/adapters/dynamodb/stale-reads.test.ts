import type { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { aQueuedJob } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

/** A table with one job, and a list of its reads, `true` for a consistent one. The others do not see new items yet. */
async function aTableWithAStaleReplica({ isSeen }: { isSeen: boolean }) {
  const { client, tableName } = await aDynaliteTable();
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

it.each([
  ['a read that may be stale costs one read that is not consistent', true, true, [false]],
  ['a job that was just created is found by a read that may be stale', false, true, [false, true]],
  ['any other read is consistent', false, false, [true]],
])('%s', async (_, isSeen, mayBeStale, consistent) => {
  const { job, reads, jobs } = await aTableWithAStaleReplica({ isSeen });
  expect(await jobs.get(job, { mayBeStale })).toEqual(job);
  expect(reads).toEqual(consistent);
});
