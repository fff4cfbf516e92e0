import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from './item.ts';

/** Reads the items of a query, in its order, page by page until it has `limit` of them or all. */
export async function queryItems(
  client: DynamoDBClient,
  query: QueryCommandInput,
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  let startKey: Item | undefined;
  do {
    const rest = limit - items.length;
    const page = await client.send(
      new QueryCommand({
        ...query,
        Limit: Number.isFinite(rest) ? rest : undefined,
        ExclusiveStartKey: startKey,
      }),
    );
    items.push(...(page.Items ?? []));
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined && items.length < limit);
  return items;
}
