import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type AttemptLog, attemptLogSchema, type JobLogs } from '../../core/jobs/attempt-log.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { fromItem, toItem } from './item.ts';
import { logDictionary, logDictionaryNumber } from './log-dictionary.ts';
import { deletePrefix, type Prefix, queryPrefix } from './query-prefix.ts';
import { jobPartition, logSort, logSortPrefix } from './table-keys.ts';

/** A log as JSON, compressed: a write costs a unit for each begun kilobyte. */
const itemSchema = z.object({
  content: z.instanceof(Uint8Array),
  dictionary: z.literal(logDictionaryNumber),
});

/** Job logs on DynamoDB: one item per attempt. */
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
      await client.send(new PutItemCommand({ TableName: tableName, Item: toItem(item) }));
    },
    list: async (ref) => {
      const found = await queryPrefix(client, tableName, prefixOf(ref));
      const logs = found.map((item) => decompress(itemSchema.parse(fromItem(item))));
      return logs.sort((a, b) => a.attempt - b.attempt);
    },
    removeAll: (ref, options) => deletePrefix(client, tableName, prefixOf(ref), options),
  };
}

/** Higher levels take up to a hundred times as long for a few bytes less. */
const params = { [constants.ZSTD_c_compressionLevel]: 6 };

/** Zstandard with a dictionary: leaves a tenth of a short log. */
function compress(log: AttemptLog): z.infer<typeof itemSchema> {
  const json = JSON.stringify(attemptLogSchema.parse(log));
  const content = zstdCompressSync(json, { params, dictionary: logDictionary });
  return { content, dictionary: logDictionaryNumber };
}

function decompress({ content }: z.infer<typeof itemSchema>): AttemptLog {
  const json = zstdDecompressSync(content, { dictionary: logDictionary });
  return attemptLogSchema.parse(JSON.parse(json.toString()));
}
