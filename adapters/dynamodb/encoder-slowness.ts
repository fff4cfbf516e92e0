import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { MeasuredSlowness, SlownessStore } from '@media-jobs/video/cost-model';
import * as z from 'zod';
import type { Clock } from '../../core/jobs/ports.ts';
import { fromItem, toItem } from './item.ts';
import { encoderSlownessKey } from './table-keys.ts';

/** Cache lifetime. One more job changes the value little. */
const cacheMs = 5 * 60_000;

const itemSchema = z.object({ pk: z.string(), sk: z.string() }).catchall(z.number());

/** What the workers of a stage measured, on DynamoDB: one item with an attribute for each encoder and group of owners. */
export function encoderSlowness(client: DynamoDBClient, tableName: string, clock: Clock): SlownessStore {
  const Key = toItem(encoderSlownessKey);
  let cached: { value: MeasuredSlowness; until: number } | undefined;
  return {
    read: async () => {
      const now = clock.now().getTime();
      if (cached !== undefined && now < cached.until) return cached.value;
      const { Item } = await client.send(new GetItemCommand({ TableName: tableName, Key }));
      const { pk: _, sk: __, ...value } = itemSchema.parse(Item ? fromItem(Item) : encoderSlownessKey);
      cached = { value, until: now + cacheMs };
      return value;
    },
    write: async (name, slowness) => {
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key,
          UpdateExpression: 'SET #name = :slowness',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: toItem({ ':slowness': slowness }),
        }),
      );
      if (cached !== undefined) cached = { ...cached, value: { ...cached.value, [name]: slowness } };
    },
  };
}
