import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { UploadLedger } from '../../core/uploads/upload.ts';
import { countUpload, emptyUploadDay, uploadDaySchema, utcDay } from '../../core/uploads/upload-day.ts';
import { openTable, toItem, versionedItem } from './table.ts';
import { ownerPartition, uploadDaySort } from './table-keys.ts';

const retentionSeconds = 3 * 24 * 3_600;

export function uploadLedger(client: DynamoDBClient, tableName: string): UploadLedger {
  const keyOf = (ownerId: string, day: string) => toItem({ pk: ownerPartition(ownerId), sk: uploadDaySort(day) });
  const days = versionedItem(openTable(client, tableName), (attributes) =>
    attributes === undefined ? emptyUploadDay : uploadDaySchema.parse(attributes),
  );
  return {
    bytesOn: async (ownerId, day) => (await days.read(keyOf(ownerId, day))).bytes,
    add: async (upload, maxBytes) => {
      const { ownerId, now } = upload;
      let result = { added: false, bytes: 0 };
      const next = (before: typeof emptyUploadDay) => {
        const after = countUpload(before, upload, maxBytes);
        result = { added: after !== 'full', bytes: typeof after === 'string' ? before.bytes : after.bytes };
        return typeof after === 'string' ? undefined : after;
      };
      const expiresAt = Math.ceil(now.getTime() / 1000) + retentionSeconds;
      await days.change(keyOf(ownerId, utcDay(now)), next, { expiresAt });
      return result;
    },
  };
}
