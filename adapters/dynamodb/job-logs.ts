import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type AttemptLog, attemptLogSchema, type JobLogs } from '../../core/jobs/attempt-log.ts';
import { fromItem, toItem } from './item.ts';
import { itemsOfJob } from './items-of-job.ts';
import { logDictionary, logDictionaryNumber } from './log-dictionary.ts';
import { jobPartition, logSort, logSortPrefix } from './table-keys.ts';

/** A log as JSON, compressed: a write costs a unit for each begun kilobyte. */
const itemSchema = z.object({
  content: z.instanceof(Uint8Array),
  /** Absent in logs of earlier versions of the service. */
  dictionary: z.literal(logDictionaryNumber).optional(),
});

/** Job logs on DynamoDB: one item per attempt. */
export function jobLogs(client: DynamoDBClient, tableName: string): JobLogs {
  const items = itemsOfJob(client, tableName);
  return {
    put: async (ref, log, expiresAt) => {
      const item = {
        ...compress(log),
        pk: jobPartition(ref),
        sk: logSort(ref.jobId, log.attempt),
        expiresAt: Math.ceil(expiresAt.getTime() / 1000),
      };
      await client.send(new PutItemCommand({ TableName: tableName, Item: toItem(item) }));
    },
    list: async (ref) => {
      const found = await items.list(ref, logSortPrefix(ref.jobId));
      const logs = found.map((item) => decompress(itemSchema.parse(fromItem(item))));
      return logs.sort((a, b) => a.attempt - b.attempt);
    },
    removeAll: (ref, options) => items.removeAll(ref, logSortPrefix(ref.jobId), options),
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

function decompress({ content, dictionary }: z.infer<typeof itemSchema>): AttemptLog {
  const options = dictionary === undefined ? {} : { dictionary: logDictionary };
  return attemptLogSchema.parse(JSON.parse(zstdDecompressSync(content, options).toString()));
}
