import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { compressJson } from '../../../adapters/dynamodb/job-item.ts';
import { jobLogs } from '../../../adapters/dynamodb/job-logs.ts';
import { logDictionary } from '../../../adapters/dynamodb/log-dictionary.ts';
import { toItem } from '../../../adapters/dynamodb/table.ts';
import { jobPartition, logSort } from '../../../adapters/dynamodb/table-keys.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const table = await aDynaliteTable();

/** Lists the logs of a job that has one item, of this dictionary and with a log of so many characters. */
async function list(jobId: string, { dictionary = logDictionary.number, characters = 1 }) {
  const { client, tableName } = table;
  const ref = { ownerId: 'owner-1', jobId };
  const log = { attempt: 1, ffmpegVersion: '7.1', commands: [], log: 'x'.repeat(characters) };
  const fields = { content: compressJson(log, logDictionary), dictionary };
  const item = { ...fields, pk: jobPartition(ref), sk: logSort(1) };
  await client.send(new PutItemCommand({ TableName: tableName, Item: toItem(item) }));
  return await jobLogs(client, tableName).list(ref);
}

describe('an item of a log', () => {
  it('is read', async () => expect(await list(aJobId(1), {})).toMatchObject([{ log: 'x' }]));

  it('is rejected if its dictionary is missing', async () => {
    await expect(list(aJobId(2), { dictionary: 2 })).rejects.toThrow(
      'Another version wrote this item (dictionary 2): deploy that version',
    );
  });

  it('is rejected if it would fill the memory of a function', async () => {
    await expect(list(aJobId(3), { characters: 9_000_000 })).rejects.toThrow(/larger than/);
  });
});
