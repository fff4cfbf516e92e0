import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import { type Condition, fromItem, getItem, type Item, putItem, toItem, writeIf } from './item.ts';

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
  client: DynamoDBClient,
  tableName: string,
  parse: (attributes: Record<string, unknown> | undefined) => Content,
): VersionedItem<Content> {
  const read = async (key: Item): Promise<Content> => {
    const item = await getItem(client, tableName, key);
    return parse(item && fromItem(item));
  };
  const write: VersionedItem<Content>['write'] = (key, expectedVersion, content) =>
    writeIf(() => putItem(client, tableName, { ...toItem(content), ...key }, hasVersion(expectedVersion)));
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

function hasVersion(version: number): Condition {
  if (version === 0) return { ConditionExpression: 'attribute_not_exists(pk)' };
  return {
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: toItem({ ':version': version }),
  };
}
