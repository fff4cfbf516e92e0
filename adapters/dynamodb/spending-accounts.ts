import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { usageDateOf } from '../../core/jobs/usage.ts';
import {
  type AccountRef,
  emptySpendingAccount,
  type SpendingAccounts,
  spendingAccountSchema,
} from '../../core/spending/spending-account.ts';
import { toItem } from './item.ts';
import { spendingSort, usagePartition } from './table-keys.ts';
import { versionedItem } from './versioned-item.ts';

const retentionSeconds = 400 * 24 * 3_600;

/** The spending accounts on DynamoDB: one item for each cap and month. */
export function spendingAccounts(client: DynamoDBClient, tableName: string): SpendingAccounts {
  const keyOf = ({ ownerId, jobId, keyId }: AccountRef) =>
    toItem({ pk: usagePartition(ownerId), sk: spendingSort(usageDateOf(jobId).slice(0, 7), keyId) });
  const accounts = versionedItem(client, tableName, (attributes) =>
    attributes === undefined ? emptySpendingAccount : spendingAccountSchema.parse(attributes),
  );
  return {
    read: (ref) => accounts.read(keyOf(ref)),
    write: (ref, account) => {
      const expiresAt = Date.parse(usageDateOf(ref.jobId)) / 1000 + retentionSeconds;
      return accounts.write(keyOf(ref), account.version - 1, { ...account, expiresAt });
    },
  };
}
