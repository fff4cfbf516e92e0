import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { RemovalOptions, RemovalResult } from '../../core/jobs/ports.ts';
import { deleteItems } from './batches.ts';
import { type Item, queryItems, toItem } from './item.ts';

export type Prefix = { partition: string; prefix: string };

/** Reads all items of a prefix, in order, strongly consistent. */
export function queryPrefix(client: DynamoDBClient, tableName: string, prefix: Prefix): Promise<Item[]> {
  return queryItems(client, prefixQuery(tableName, prefix));
}

/** Reads the last items of a prefix, in order, at most `limit`. */
export async function queryLast(
  client: DynamoDBClient,
  tableName: string,
  { limit, ...prefix }: Prefix & { limit: number },
): Promise<Item[]> {
  const query = { ...prefixQuery(tableName, prefix), ScanIndexForward: false };
  return (await queryItems(client, query, limit)).reverse();
}

/** Bounds the memory of a removal, and the time until `mayContinue` is called again. */
const maxKeysPerPage = 250;

/** Deletes the items of a prefix page by page. Only keys are read, since an item has up to 400 KB. */
export async function deletePrefix(
  client: DynamoDBClient,
  tableName: string,
  prefix: Prefix,
  { mayContinue = () => true }: RemovalOptions = {},
): Promise<RemovalResult> {
  let startKey: Item | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        ...prefixQuery(tableName, prefix),
        ProjectionExpression: 'pk, sk',
        Limit: maxKeysPerPage,
        ExclusiveStartKey: startKey,
      }),
    );
    await deleteItems(client, tableName, page.Items ?? []);
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined && mayContinue());
  return startKey === undefined ? 'complete' : 'incomplete';
}

function prefixQuery(tableName: string, { partition, prefix }: Prefix): QueryCommandInput {
  return {
    TableName: tableName,
    // DynamoDB rejects an empty value of a key.
    KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: toItem({ ':pk': partition, ...(prefix !== '' && { ':prefix': prefix }) }),
    ConsistentRead: true,
  };
}
