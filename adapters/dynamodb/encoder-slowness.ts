import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { MeasuredSlowness, SlownessStore } from '@media-jobs/video/cost-model';
import * as z from 'zod';
import type { Clock } from '../../core/jobs/ports.ts';
import { fromItem, openTable, toItem } from './table.ts';
import { encoderSlownessKey } from './table-keys.ts';

/** Cache lifetime. One more job changes the value little. */
const cacheMs = 5 * 60_000;

const itemSchema = z.object({ pk: z.string(), sk: z.string() }).catchall(z.number());

/** What the workers of a stage measured, on DynamoDB: one item with an attribute for each encoder and group of owners. */
export function encoderSlowness(client: DynamoDBClient, tableName: string, clock: Clock): SlownessStore {
  const table = openTable(client, tableName);
  const key = toItem(encoderSlownessKey);
  let cached: { value: MeasuredSlowness; until: number } | undefined;
  return {
    read: async () => {
      const now = clock.now().getTime();
      if (cached !== undefined && now < cached.until) return cached.value;
      const item = (await table.get(key, { mayBeStale: true })) ?? key;
      const { pk: _, sk: __, ...value } = itemSchema.parse(fromItem(item));
      cached = { value, until: now + cacheMs };
      return value;
    },
    write: async (name, slowness) => {
      await table.update(key, {
        UpdateExpression: 'SET #name = :slowness',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: toItem({ ':slowness': slowness }),
      });
      if (cached !== undefined) cached = { ...cached, value: { ...cached.value, [name]: slowness } };
    },
  };
}
