import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type AuditLog, auditDays, auditEntrySchema } from '../../core/access/audit.ts';
import { openTable, toItem } from './table.ts';
import { auditPartition } from './table-keys.ts';

export function auditLog(client: DynamoDBClient, tableName: string): AuditLog {
  const table = openTable(client, tableName);
  return {
    async append(ownerId, { id, ...entry }) {
      const expiresAt = Math.ceil(Date.parse(entry.at) / 1000) + auditDays * 86_400;
      await table.put(toItem({ pk: auditPartition(ownerId), sk: id, ...entry, expiresAt }));
    },
    async list(ownerId, page) {
      const { items, lastId } = await table.newest(auditPartition(ownerId), page);
      return { entries: items.map((item) => auditEntrySchema.parse(item)), lastId };
    },
  };
}
