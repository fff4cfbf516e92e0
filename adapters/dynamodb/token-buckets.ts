import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { TokenBatch } from '../../core/access/rate-limit.ts';
import { fromItem, openTable, toItem } from './table.ts';
import { ratePartition, rateSort } from './table-keys.ts';

/** How long DynamoDB keeps a bucket that is full again: without an item it is full. */
const keptFullSeconds = 3600;

/**
 * Takes a batch from the bucket of a credential; undefined if it has less. An update cannot compute a maximum: one update is
 * for a bucket that is full, another for one that is not. The second is made only if the guess which it is was wrong.
 *
 * @returns when the bucket is full again, in Unix milliseconds
 */
export async function takeTokens(
  client: DynamoDBClient,
  tableName: string,
  credentialHash: string,
  { nowMs, takenMs, latestFullAtMs, knownFullAtMs }: TokenBatch,
): Promise<number | undefined> {
  const table = openTable(client, tableName);
  const key = toItem({ pk: ratePartition(credentialHash), sk: rateSort });
  const update = async (UpdateExpression: string, ConditionExpression: string, values: object) => {
    const taken = await table.update(key, {
      UpdateExpression: `SET fullAt = ${UpdateExpression}, expiresAt = :expiresAt`,
      ConditionExpression,
      ExpressionAttributeValues: toItem({
        ...values,
        ':now': nowMs,
        ':taken': takenMs,
        ':expiresAt': Math.ceil(latestFullAtMs / 1000) + keptFullSeconds,
      }),
      ReturnValues: 'UPDATED_NEW',
    });
    return taken && z.object({ fullAt: z.number() }).parse(fromItem(taken)).fullAt;
  };
  const fromFull = () => update(':now + :taken', 'attribute_not_exists(fullAt) OR fullAt < :now', {});
  const fromPart = () =>
    update('fullAt + :taken', 'fullAt BETWEEN :now AND :latest', { ':latest': latestFullAtMs - takenMs });
  // The time only grows: a bucket that is known not to be full yet is not.
  return knownFullAtMs < nowMs ? ((await fromFull()) ?? fromPart()) : fromPart();
}
