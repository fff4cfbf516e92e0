import { BatchGetItemCommand, BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { batchGet, deleteItems } from '../../../adapters/dynamodb/batches.ts';
import type { Item } from '../../../adapters/dynamodb/table.ts';

const itemsOf = (count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ pk: { S: 'OWNER#a' }, sk: { S: `JOB#${n}` } }));

/** A table that processes up to `takes(call)` requests of each call, and records calls and pauses. */
function aTable(takes: (call: number) => number, chance = 0.5) {
  const client = new DynamoDBClient({ region: 'eu-central-1' });
  const calls: string[][] = [];
  const pauses: number[] = [];
  const taken = <Entry>(entries: Entry[], name: (one: Entry) => string) => {
    calls.push(entries.map(name));
    const count = takes(calls.length);
    return { done: entries.slice(0, count), left: entries.slice(count) };
  };
  mockClient(client)
    .on(BatchGetItemCommand)
    .callsFake(({ RequestItems }: { RequestItems: { jobs: { Keys: Item[] } } }) => {
      const { done, left } = taken(RequestItems.jobs.Keys, sortOf);
      return { Responses: { jobs: done }, UnprocessedKeys: left.length === 0 ? {} : { jobs: { Keys: left } } };
    })
    .on(BatchWriteItemCommand)
    .callsFake(({ RequestItems }: { RequestItems: { jobs: { DeleteRequest: { Key: Item } }[] } }) => {
      const { left } = taken(RequestItems.jobs, ({ DeleteRequest }) => sortOf(DeleteRequest.Key));
      return { UnprocessedItems: left.length === 0 ? {} : { jobs: left } };
    });
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  return { client, calls, pauses, pacing: { sleep, random: () => chance } };
}

const sortOf = ({ sk }: Item) => sk?.S ?? '';
const everything = () => Number.POSITIVE_INFINITY;
const nothing = () => 0;

describe.each([
  ['reading', 100, batchGet],
  ['deleting', 25, deleteItems],
] as const)('%s many items', (_, maxItems, run) => {
  it('uses as few calls as possible, without pauses', async () => {
    const { client, calls, pauses, pacing } = aTable(everything);
    await run(client, 'jobs', itemsOf(2 * maxItems + 1), pacing);
    expect([calls.map((keys) => keys.length), pauses]).toEqual([[maxItems, maxItems, 1], []]);
  });

  it('resends unprocessed requests after a pause that doubles', async () => {
    const { client, calls, pauses, pacing } = aTable((call) => (call < 4 ? 1 : maxItems));
    const items = itemsOf(5);
    await run(client, 'jobs', items, pacing);
    const names = items.map(sortOf);
    expect(calls).toEqual([names, names.slice(1), names.slice(2), names.slice(3)]);
    expect(pauses).toEqual([25, 50, 100]);
  });

  it('resets the pause after a call that was processed completely', async () => {
    const { client, pauses, pacing } = aTable((call) => (call === 1 || call === 3 ? 0 : maxItems));
    await run(client, 'jobs', itemsOf(maxItems + 1), pacing);
    expect(pauses).toEqual([25, 25]);
  });

  it('pauses for a random time of at most 2 s, and fails after eight attempts', async () => {
    const { client, calls, pauses, pacing } = aTable(nothing, 0.999);
    await expect(run(client, 'jobs', itemsOf(3), pacing)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(calls).toHaveLength(8);
    expect(pauses.map(Math.round)).toEqual([50, 100, 200, 400, 799, 1598, 1998]);
  });
});

it('batchGet returns the items of several calls in the order of their keys', async () => {
  const { client, pacing } = aTable((call) => (call === 1 ? 2 : 100));
  const keys = itemsOf(5).toReversed();
  expect(await batchGet(client, 'jobs', keys, pacing)).toEqual(keys);
});
