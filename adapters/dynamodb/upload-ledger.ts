import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { AppError } from '../../core/errors.ts';
import type { UploadLedger } from '../../core/uploads/ports.ts';
import {
  countUpload,
  emptyUploadDay,
  type UploadDay,
  uploadDaySchema,
  utcDay,
} from '../../core/uploads/upload-day.ts';
import { fromItem, toItem } from './item.ts';
import { ownerPartition, uploadDaySort } from './table-keys.ts';

/** Each conflict means that another request of the same owner was counted. */
const maxConflicts = 100;

const retentionSeconds = 3 * 24 * 3_600;

/** The upload ledger on DynamoDB: one item per owner and day, each write conditional on the version that was read. */
export function uploadLedger(client: DynamoDBClient, tableName: string): UploadLedger {
  const keyOf = (ownerId: string, day: string) =>
    toItem({ pk: ownerPartition(ownerId), sk: uploadDaySort(day) });

  const read = async (ownerId: string, day: string): Promise<UploadDay> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: keyOf(ownerId, day), ConsistentRead: true }),
    );
    return Item === undefined ? emptyUploadDay : uploadDaySchema.parse(fromItem(Item));
  };

  return {
    bytesOn: async (ownerId, day) => (await read(ownerId, day)).bytes,
    add: async (upload, maxBytes) => {
      const { ownerId, now } = upload;
      const day = utcDay(now);
      for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
        const before = await read(ownerId, day);
        const after = countUpload(before, upload, maxBytes);
        if (after === 'counted') return { added: true, bytes: before.bytes };
        if (after === 'full') return { added: false, bytes: before.bytes };
        const expiresAt = Math.ceil(now.getTime() / 1000) + retentionSeconds;
        try {
          await client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: { ...toItem({ ...after, expiresAt }), ...keyOf(ownerId, day) },
              ...(before.version === 0
                ? { ConditionExpression: 'attribute_not_exists(pk)' }
                : {
                    ConditionExpression: 'version = :version',
                    ExpressionAttributeValues: toItem({ ':version': before.version }),
                  }),
            }),
          );
          return { added: true, bytes: after.bytes };
        } catch (cause) {
          if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
        }
      }
      throw new AppError('UNAVAILABLE', 'Too many uploads of this owner begin at once; try again shortly.');
    },
  };
}
