import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll } from 'vitest';
import { aDynaliteTable, type DynaliteTable } from '../builders/storage/dynalite-table.ts';

let table: Promise<DynaliteTable> | undefined;
let owners = 0;

/** The two implementations of a store, which have to behave alike: each with its name and how to open it. */
export function bothStores<Store>(
  onDynamo: (client: DynamoDBClient, tableName: string) => Store,
  inMemory: () => Store,
): [name: string, open: () => Promise<Store>][] {
  const openDynamo = async () => {
    const { client, tableName } = await dynaliteTable();
    return onDynamo(client, tableName);
  };
  return [
    ['on DynamoDB', openDynamo],
    ['in memory', async () => inMemory()],
  ];
}

/** The dynalite table of this file's tests, stopped after the last one. */
function dynaliteTable(): Promise<DynaliteTable> {
  if (table === undefined) {
    const started = aDynaliteTable();
    table = started;
    afterAll(async () => (await started).stop());
  }
  return table;
}

/** A new owner for each test, so that tests can share a table. */
export function aNewOwner(): string {
  return `owner-${++owners}`;
}
