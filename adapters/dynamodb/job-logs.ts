import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { attemptLogSchema, type JobLogs } from '../../core/jobs/attempt-log.ts';
import { deletePrefix } from './batches.ts';
import { compressJson, decompressJson } from './job-item.ts';
import { logDictionary } from './log-dictionary.ts';
import { fromItem, openTable, prefixQuery, toItem } from './table.ts';
import { jobPartition, logSort, logSortPrefix } from './table-keys.ts';

/** A log as JSON, compressed with the dictionary of this number. */
const itemSchema = z.object({ content: z.instanceof(Uint8Array), dictionary: z.number() });

export function jobLogs(client: DynamoDBClient, tableName: string): JobLogs {
  const table = openTable(client, tableName);
  return {
    put: async (ref, log, expiresAt) => {
      const item = {
        content: compressJson(attemptLogSchema.parse(log), logDictionary),
        dictionary: logDictionary.number,
        pk: jobPartition(ref),
        sk: logSort(log.attempt),
        expiresAt: Math.ceil(expiresAt.getTime() / 1000),
      };
      await table.put(toItem(item));
    },
    list: async (ref) => {
      const found = await table.query(prefixQuery(jobPartition(ref), logSortPrefix));
      const logs = found.map((item) => {
        const { content, dictionary: number } = itemSchema.parse(fromItem(item));
        return attemptLogSchema.parse(decompressJson(content, { number, known: logDictionary }));
      });
      return logs.sort((a, b) => a.attempt - b.attempt);
    },
    removeAll: (ref, options) =>
      deletePrefix(client, tableName, { partition: jobPartition(ref), prefix: logSortPrefix }, options),
  };
}
