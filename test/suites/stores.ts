import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeAll } from 'vitest';
import { aDynaliteTable, type DynaliteTable } from '../builders/storage/dynalite-table.ts';

let owners = 0;

/** The two implementations of a store, which have to behave alike: each with its name and how to open it in a test. */
export function bothStores<Store>(
  onDynamo: (client: DynamoDBClient, tableName: string) => Store,
  inMemory: () => Store,
): [name: string, open: () => Promise<Store>][] {
  let table: DynaliteTable;
  beforeAll(async () => {
    table = await aDynaliteTable();
  });
  return [
    ['on DynamoDB', async () => onDynamo(table.client, table.tableName)],
    ['in memory', async () => inMemory()],
  ];
}

/** A new owner for each test, so that tests can share a table. */
export function aNewOwner(): string {
  return `owner-${++owners}`;
}
