import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type AttemptLog, attemptLogSchema, type JobLogs } from '../../core/jobs/attempt-log.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { compressJson, decompressJson, fromItem, putItem, toItem } from './item.ts';
import { logDictionary } from './log-dictionary.ts';
import { deletePrefix, type Prefix, queryPrefix } from './query-prefix.ts';
import { jobPartition, logSort, logSortPrefix } from './table-keys.ts';

/** A log as JSON, compressed with the dictionary of this number. */
const itemSchema = z.object({ content: z.instanceof(Uint8Array), dictionary: z.number() });

export function jobLogs(client: DynamoDBClient, tableName: string): JobLogs {
  const prefixOf = (ref: JobRef): Prefix => ({ partition: jobPartition(ref), prefix: logSortPrefix });
  return {
    put: async (ref, log, expiresAt) => {
      const item = {
        ...compress(log),
        pk: jobPartition(ref),
        sk: logSort(log.attempt),
        expiresAt: Math.ceil(expiresAt.getTime() / 1000),
      };
      await putItem(client, tableName, toItem(item));
    },
    list: async (ref) => {
      const found = await queryPrefix(client, tableName, prefixOf(ref));
      const logs = found.map((item) => decompress(itemSchema.parse(fromItem(item))));
      return logs.sort((a, b) => a.attempt - b.attempt);
    },
    removeAll: (ref, options) => deletePrefix(client, tableName, prefixOf(ref), options),
  };
}

function compress(log: AttemptLog): z.infer<typeof itemSchema> {
  const content = compressJson(attemptLogSchema.parse(log), logDictionary);
  return { content, dictionary: logDictionary.number };
}

function decompress({ content, dictionary }: z.infer<typeof itemSchema>): AttemptLog {
  return attemptLogSchema.parse(decompressJson(content, { number: dictionary, known: logDictionary }));
}
