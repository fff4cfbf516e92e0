import { noUnits, type Units } from '../../../../core/pricing/per-job.ts';
import { type Item, itemBytes } from './item-size.ts';
import type { ObservedCall } from './observed-call.ts';

/** The key attributes of each index, which holds keys only. The key of the item never changes. */
const indexKeys = {
  byState: ['stateKey'],
  byName: ['nameSort'],
  due: ['duePartition', 'dueAt'],
  waiting: ['waitingPartition', 'waitingSort'],
} as const;

/**
 * Computes the units of calls as DynamoDB bills them, from the puts that it has seen. An item without a put counts as
 * small.
 */
export function tableUnits(): { charge(call: ObservedCall): Units } {
  const written = new Map<string, Item>();
  return {
    charge({ operation, input = {} }) {
      const { Item: item, Key, ConsistentRead } = input as { Item?: Item; Key?: Item; ConsistentRead?: boolean };
      const key = `${item?.pk?.S ?? Key?.pk?.S} ${item?.sk?.S ?? Key?.sk?.S}`;
      const before = written.get(key);
      const isOfOwner = /^OWNER#[^#]+ /.test(key);
      if (item === undefined) {
        if (operation !== 'GetItem' && operation !== 'Query') return { ...noUnits, table: 1, owner: isOfOwner ? 1 : 0 };
        const read = unitsOf(before, 4096) * (ConsistentRead === true ? 1 : 0.5);
        return { ...noUnits, read };
      }
      written.set(key, item);
      const table = Math.max(unitsOf(before, 1024), unitsOf(item, 1024));
      return {
        read: 0,
        table,
        owner: isOfOwner ? table : 0,
        byState: entryWrites(before, item, indexKeys.byState),
        byName: entryWrites(before, item, indexKeys.byName),
        due: entryWrites(before, item, indexKeys.due),
        waiting: entryWrites(before, item, indexKeys.waiting),
      };
    },
  };
}

function unitsOf(item: Item | undefined, bytesOfUnit: number): number {
  return item === undefined ? 1 : Math.ceil(itemBytes(item) / bytesOfUnit);
}

/** A new or removed index entry is one write; a changed key is a delete and a put. */
function entryWrites(before: Item | undefined, after: Item, attributes: readonly string[]): number {
  const keyIn = (item: Item | undefined) =>
    attributes.every((name) => item?.[name]) ? attributes.map((name) => item?.[name]?.S).join() : undefined;
  const [old, now] = [keyIn(before), keyIn(after)];
  if (old === now) return 0;
  return old === undefined || now === undefined ? 1 : 2;
}
