import type { Mutant } from './mutant.ts';

function mutant(name: string, file: string, find: string, replace: string): Mutant {
  return { name: `DynamoDB: ${name}`, edits: [{ file: `adapters/dynamodb/${file}`, find, replace }] };
}

/** Condition expressions of the DynamoDB tables, removed one at a time. */
export const adapterMutants: readonly Mutant[] = [
  mutant('the guard of every write', 'job-table.ts', '...guardCondition(guard) })', '})'),
  mutant(
    'that a repeated write is known',
    'job-table.ts',
    'if (isDeepStrictEqual(current, jobFromItem(item))) return { written: true, isRepeat: true };',
    '',
  ),
  mutant(
    'that a rejected write returns the stored record',
    'job-table.ts',
    'return { written: false, current };',
    'return { written: true };',
  ),
  mutant(
    'that an absent field is demanded',
    'guard-condition.ts',
    'expected === null ?',
    'expected === false ?',
  ),
  mutant(
    'that an attempt is opened once',
    'delivery-journal.ts',
    "'attribute_not_exists(pk)'",
    "'attribute_not_exists(never)'",
  ),
  mutant(
    'that an attempt is closed once',
    'delivery-journal.ts',
    "'attribute_exists(pk) AND attribute_not_exists(outcome)'",
    "'attribute_exists(pk)'",
  ),
  mutant(
    'that only an open attempt is closed',
    'delivery-journal.ts',
    "'attribute_exists(pk) AND attribute_not_exists(outcome)'",
    "'attribute_not_exists(outcome)'",
  ),
  mutant(
    'that the first secret stays',
    'settings-table.ts',
    'attribute_not_exists(signingSecrets)',
    'attribute_not_exists(never)',
  ),
  mutant(
    'that one of two rotations wins',
    'settings-table.ts',
    'signingSecrets.#current = :expected',
    'signingSecrets.#current <> :expected OR signingSecrets.#current = :expected',
  ),
  mutant(
    'that a reservation holds',
    'idempotency-table.ts',
    'attribute_not_exists(pk) OR expiresAt <= :now',
    'attribute_not_exists(never) OR expiresAt <= :now',
  ),
  mutant(
    'that a reservation expires',
    'idempotency-table.ts',
    'attribute_not_exists(pk) OR expiresAt <= :now',
    'attribute_not_exists(pk) OR expiresAt < :never'.replace('< :never', '= :now AND expiresAt <> :now'),
  ),
  mutant(
    'that a group of slots has its share of the limit',
    'running-slots.ts',
    '{ max: shareOfGroup(max, group, groups), ...limits }',
    '{ max, ...limits }',
  ),
  mutant(
    'that a slot is taken in one group only',
    'running-slots.ts',
    'if (all.some((each) => hasSlot(each, slot))) return true;',
    '',
  ),
  mutant(
    'that the workers of all groups count',
    'running-slots.ts',
    'if (maxWorkers !== undefined && sumOf(all, ({ workers }) => workers) >= maxWorkers) return false;',
    '',
  ),
  mutant(
    'that a slot is freed where it is',
    'running-slots.ts',
    'if (groups === 1 || hasSlot(before, slot))',
    'if (groups > 0)',
  ),
  mutant(
    'that a job waits only if all groups are full',
    'running-slots.ts',
    'if (isRemembered && groups === 1) return true;',
    'if (isRemembered) return true;',
  ),
  mutant('that a revoked key does not come back', 'key-table.ts', 'attribute_exists(pk) AND ', ''),
];
