import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type AuditLog, auditDays, auditEntrySchema } from '../../core/access/audit.ts';
import { afterEveryId, lastIdBefore } from '../../core/jobs/job-id.ts';
import { fromItem, putItem, queryItems, toItem } from './item.ts';
import { auditPartition } from './table-keys.ts';

export function auditLog(client: DynamoDBClient, tableName: string): AuditLog {
  return {
    async append(ownerId, { id, ...entry }) {
      const expiresAt = Math.ceil(Date.parse(entry.at) / 1000) + auditDays * 86_400;
      await putItem(client, tableName, toItem({ pk: auditPartition(ownerId), sk: id, ...entry, expiresAt }));
    },
    async list(ownerId, { limit, beforeId }) {
      // One item more than requested shows whether there is a next page.
      const items = await queryItems(
        client,
        {
          TableName: tableName,
          KeyConditionExpression: 'pk = :owner AND sk <= :last',
          ExpressionAttributeValues: toItem({
            ':owner': auditPartition(ownerId),
            ':last': beforeId === undefined ? afterEveryId : lastIdBefore(beforeId),
          }),
          ScanIndexForward: false,
          ConsistentRead: true,
        },
        limit + 1,
      );
      const listed = items.slice(0, limit);
      return {
        entries: listed.map((item) => auditEntrySchema.parse(fromItem(item))),
        lastId: items.length > limit ? listed.at(-1)?.sk?.S : undefined,
      };
    },
  };
}
