import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { PlaybackRecords } from '../../core/playback/edge-store.ts';
import { timestampSchema } from '../../core/timestamp.ts';
import { fromItem, openTable, toItem } from './table.ts';
import { jobPartition, playbackSort } from './table-keys.ts';

const itemSchema = z.object({ tokensUntil: timestampSchema.optional(), revokedAt: timestampSchema.optional() });

/** Playback records on DynamoDB: one item for a job that has playback URLs. */
export function playbackRecords(client: DynamoDBClient, tableName: string): PlaybackRecords {
  const table = openTable(client, tableName);
  const keyOf = (ref: JobRef) => toItem({ pk: jobPartition(ref), sk: playbackSort });
  return {
    get: async (ref) => itemSchema.parse(fromItem((await table.get(keyOf(ref))) ?? {})),
    raise: async (ref, field, to, expiresAt) => {
      const fields = { [field]: to.toISOString(), expiresAt: Math.ceil(expiresAt.getTime() / 1000) };
      const isEarlier = { ConditionExpression: `attribute_not_exists(#${field}) OR #${field} < :${field}` };
      await table.set(keyOf(ref), fields, isEarlier);
    },
  };
}
