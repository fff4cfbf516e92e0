import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { OwnerSalt } from '../../core/access/owner.ts';
import { fromItem, openTable, toItem } from './table.ts';
import { ownerSaltKey } from './table-keys.ts';

const stored = z.object({ salt: z.string() });

/** The salt of the owner ids on DynamoDB: one item per stage. Read once, since it never changes. */
export function ownerSalt(
  client: DynamoDBClient,
  tableName: string,
  randomBytes: (size: number) => Uint8Array,
): OwnerSalt {
  let read: Promise<string> | undefined;
  const readOrCreate = async () => {
    const item = await openTable(client, tableName).update(toItem(ownerSaltKey), {
      UpdateExpression: 'SET salt = if_not_exists(salt, :salt)',
      ExpressionAttributeValues: toItem({ ':salt': Buffer.from(randomBytes(32)).toString('base64') }),
      ReturnValues: 'ALL_NEW',
    });
    return stored.parse(fromItem(item ?? {})).salt;
  };
  return () => {
    read ??= readOrCreate().catch((cause: unknown) => {
      read = undefined;
      throw cause;
    });
    return read;
  };
}
