import { usageDateOf } from '../../core/jobs/usage.ts';
import {
  type AccountRef,
  emptySpendingAccount,
  type SpendingAccount,
  type SpendingAccounts,
} from '../../core/spending/spending-account.ts';

type Options = { onWritten?: (ref: AccountRef, account: SpendingAccount) => void };

/** The spending accounts in memory. `onWritten` gets an account after each write. */
export function memorySpendingAccounts({ onWritten }: Options = {}): SpendingAccounts {
  const accounts = new Map<string, SpendingAccount>();
  const keyOf = ({ ownerId, jobId, keyId }: AccountRef) =>
    [ownerId, usageDateOf(jobId).slice(0, 7), keyId].join(' ');
  const find = (ref: AccountRef) => accounts.get(keyOf(ref)) ?? emptySpendingAccount;
  return {
    read: async (ref) => find(ref),
    write: async (ref, account) => {
      if (find(ref).version !== account.version - 1) return false;
      accounts.set(keyOf(ref), account);
      onWritten?.(ref, account);
      return true;
    },
  };
}
