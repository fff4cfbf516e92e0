import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { PlaybackRecords } from '../../core/playback/playback-record.ts';
import { timestampSchema } from '../../core/timestamp.ts';
import { fromItem, getItem, toItem, updateItem, writeIf } from './item.ts';
import { jobPartition, playbackSort } from './table-keys.ts';

const itemSchema = z.object({ tokensUntil: timestampSchema.optional(), revokedAt: timestampSchema.optional() });

/** Playback records on DynamoDB: one item for a job that has playback URLs. */
export function playbackRecords(client: DynamoDBClient, tableName: string): PlaybackRecords {
  const keyOf = (ref: JobRef) => toItem({ pk: jobPartition(ref), sk: playbackSort });
  return {
    get: async (ref) => itemSchema.parse(fromItem((await getItem(client, tableName, keyOf(ref))) ?? {})),
    raise: async (ref, field, to, expiresAt) => {
      await writeIf(() =>
        updateItem(client, tableName, keyOf(ref), {
          UpdateExpression: 'SET #field = :to, expiresAt = :expiresAt',
          ConditionExpression: 'attribute_not_exists(#field) OR #field < :to',
          ExpressionAttributeNames: { '#field': field },
          ExpressionAttributeValues: toItem({
            ':to': to.toISOString(),
            ':expiresAt': Math.ceil(expiresAt.getTime() / 1000),
          }),
        }),
      );
    },
  };
}
