import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { JobRef, RemovalOptions, RemovalResult } from '../../core/jobs/ports.ts';
import type { Item } from './item.ts';
import { deletePrefix, type Prefix, queryPrefix } from './query-prefix.ts';
import { jobPartition, ownerPartition } from './table-keys.ts';

/** Reads and removes the items of one kind that belong to a job; `prefix` begins their sort keys. */
export function itemsOfJob(client: DynamoDBClient, tableName: string) {
  return {
    list: async (ref: JobRef, prefix: string): Promise<Item[]> => {
      const pages = prefixesOf(ref, prefix).map((each) => queryPrefix(client, tableName, each));
      return (await Promise.all(pages)).flat();
    },
    removeAll: async (ref: JobRef, prefix: string, options?: RemovalOptions): Promise<RemovalResult> => {
      const results: RemovalResult[] = [];
      for (const each of prefixesOf(ref, prefix))
        results.push(await deletePrefix(client, tableName, each, options));
      return results.every((result) => result === 'complete') ? 'complete' : 'incomplete';
    },
  };
}

/** The job's own partition, and that of its owner, where earlier versions of the service wrote these items. */
export function prefixesOf(ref: JobRef, prefix: string): Prefix[] {
  return [jobPartition(ref), ownerPartition(ref.ownerId)].map((partition) => ({ partition, prefix }));
}
