import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import { fromItem, type Item, isNew, type Table, toItem } from './table.ts';

/** An item whose writes require the version that was read; version 0: there is no item. */
export type VersionedItem<Content extends { version: number }> = {
  read(key: Item): Promise<Content>;
  /** Writes the item over that of this version; false if there is another version. */
  write(key: Item, expectedVersion: number, content: Content & { expiresAt?: number }): Promise<boolean>;
  /**
   * Reads the item, and writes what `next` returns unless that is undefined. Repeats both after another write came in
   * between. `next` must recognize its own earlier write: the SDK retries a put whose response was lost.
   * @throws ConflictError after 100 conflicts
   */
  change(
    key: Item,
    next: (content: Content) => Content | undefined | Promise<Content | undefined>,
    fields?: { expiresAt?: number },
  ): Promise<void>;
};

/** Items of one kind; `parse` gets an item's attributes, or undefined if there is no item. */
export function versionedItem<Content extends { version: number }>(
  table: Pick<Table, 'get' | 'put'>,
  parse: (attributes: Record<string, unknown> | undefined) => Content,
): VersionedItem<Content> {
  const read = async (key: Item): Promise<Content> => {
    const item = await table.get(key);
    return parse(item && fromItem(item));
  };
  const write: VersionedItem<Content>['write'] = (key, expectedVersion, content) => {
    const isExpected = {
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: toItem({ ':version': expectedVersion }),
    };
    return table.put({ ...toItem(content), ...key }, expectedVersion === 0 ? isNew : isExpected);
  };
  return {
    read,
    write,
    change: async (key, next, fields = {}) => {
      await retryConflicts(async () => {
        const before = await read(key);
        const after = await next(before);
        return after === undefined || (await write(key, before.version, { ...after, ...fields }));
      });
    },
  };
}
