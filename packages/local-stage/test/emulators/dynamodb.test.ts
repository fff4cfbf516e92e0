import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { clientOptions } from '../../src/aws-names.ts';
import { createTables, startDynamoDb } from '../../src/emulators/dynamodb.ts';
import { emulatorTraffic } from '../../src/emulators/traffic.ts';
import type { StagePlan } from '../../src/template/stage-plan.ts';

type TablePlan = StagePlan['tables'][number];

const jobs: TablePlan = {
  name: 'jobs',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'state', AttributeType: 'S' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byState',
      KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
};

async function aDatabase(directory: string, tables: TablePlan[]) {
  const emulator = await startDynamoDb(directory, emulatorTraffic());
  const stop = afterUse(emulator.stop);
  await createTables(emulator.endpoint, tables);
  const client = new DynamoDBClient(clientOptions(emulator.endpoint));
  return { client, emulator, stop };
}

it('the DynamoDB emulator has the tables and indexes of the template', async () => {
  const { client } = await aDatabase(await aTemporaryFolder(), [jobs]);
  const item = { pk: { S: 'job-1' }, state: { S: 'queued' }, title: { S: 'Holiday' } };
  await client.send(new PutItemCommand({ TableName: 'jobs', Item: item }));
  const { Items } = await client.send(
    new QueryCommand({
      TableName: 'jobs',
      IndexName: 'byState',
      KeyConditionExpression: '#state = :queued',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':queued': { S: 'queued' } },
    }),
  );
  expect(Items).toEqual([{ pk: { S: 'job-1' }, state: { S: 'queued' } }]);
});

it('the DynamoDB emulator keeps items across a restart', async () => {
  const directory = await aTemporaryFolder();
  const before = await aDatabase(directory, [jobs]);
  await before.client.send(new PutItemCommand({ TableName: 'jobs', Item: { pk: { S: 'job-1' } } }));
  await before.stop();
  const { client } = await aDatabase(directory, [jobs]);
  const { Item } = await client.send(new GetItemCommand({ TableName: 'jobs', Key: { pk: { S: 'job-1' } } }));
  expect(Item).toEqual({ pk: { S: 'job-1' } });
});

it('createTables rejects a data directory with a table of other indexes and explains what to do', async () => {
  const directory = await aTemporaryFolder();
  const { emulator } = await aDatabase(directory, [jobs]);
  const indexes = jobs.GlobalSecondaryIndexes?.map((index) => ({ ...index, IndexName: 'byPhase' }));
  const changed: TablePlan = { ...jobs, ...(indexes ? { GlobalSecondaryIndexes: indexes } : {}) };
  await expect(createTables(emulator.endpoint, [changed])).rejects.toThrow(
    /Table jobs in the data directory differs from the template in its keys or indexes\. .*--data-dir/,
  );
});
