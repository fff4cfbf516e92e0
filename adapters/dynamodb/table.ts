import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { retryConflicts } from '../../core/async.ts';
import { afterEveryId, lastIdBefore } from '../../core/jobs/job-id.ts';
import { timestampSchema } from '../../core/timestamp.ts';

export type Item = Record<string, AttributeValue>;

export function toItem(fields: object): Item {
  // The library recognizes plain objects by `constructor`, which user data may contain as a field.
  return marshall(fields, { removeUndefinedValues: true, convertClassInstanceToMap: true });
}

/** Converts an item to a plain object, which the caller parses. A string set becomes a Set. */
export function fromItem(item: Item): Record<string, unknown> {
  return unmarshall(item);
}

export type Condition = {
  ConditionExpression: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
};

export const isNew: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

const dueEntrySchema = z.object({ pk: z.string(), sk: z.string(), dueAt: timestampSchema });

/** A query, eventually consistent unless it says otherwise. `values` are plain ones. */
export type Query = Omit<QueryCommandInput, 'TableName' | 'ExpressionAttributeValues'> & { values: object };

/** The items of a table. A write returns false or undefined if its condition does not hold. */
export type Table = ReturnType<typeof openTable>;

export function openTable(client: DynamoDBClient, TableName: string) {
  const page = ({ values, ...query }: Query): Promise<QueryCommandOutput> =>
    client.send(new QueryCommand({ TableName, ...query, ExpressionAttributeValues: toItem(values) }));

  /** Reads the items of a query, in its order, page by page until it has `limit` of them or all. */
  const query = async (wanted: Query, limit = Number.POSITIVE_INFINITY): Promise<Item[]> => {
    const items: Item[] = [];
    let ExclusiveStartKey: Item | undefined;
    do {
      const Limit = Number.isFinite(limit) ? limit - items.length : undefined;
      const { Items = [], LastEvaluatedKey } = await page({ ...wanted, Limit, ExclusiveStartKey });
      items.push(...Items);
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined && items.length < limit);
    return items;
  };

  const update = async (
    Key: Item,
    input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>,
  ): Promise<Item | undefined> =>
    ifHolds(async () => {
      const { Attributes = {} } = await client.send(new UpdateItemCommand({ TableName, Key, ...input }));
      return Attributes;
    });

  return {
    page,
    query,
    /** Changes an item as an expression says. Returns the attributes that it asks for. */
    update,

    /** Strongly consistent, unless the item may be stale. */
    async get(Key: Item, { mayBeStale = false } = {}): Promise<Item | undefined> {
      const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: !mayBeStale }));
      return Item;
    },

    async put(Item: Item, condition?: Condition): Promise<boolean> {
      const put = new PutItemCommand({ TableName, Item, ...condition });
      return (await ifHolds(() => client.send(put))) !== undefined;
    },

    /** Sets the fields of an item that are not undefined. A condition may refer to each as `:name`. Returns the whole item. */
    set(Key: Item, fields: object, condition: Partial<Condition> = {}): Promise<Item | undefined> {
      const names = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      return update(Key, {
        ...condition,
        UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: {
          ...condition.ExpressionAttributeNames,
          ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
        },
        ExpressionAttributeValues: {
          ...condition.ExpressionAttributeValues,
          ...toItem(Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value]))),
        },
        ReturnValues: 'ALL_NEW',
      });
    },

    async remove(Key: Item, condition?: Condition): Promise<boolean> {
      const remove = new DeleteItemCommand({ TableName, Key, ...condition });
      return (await ifHolds(() => client.send(remove))) !== undefined;
    },

    /** The newest items of a partition whose sort keys are ids, and the last id if there are more of them. */
    async newest(partition: string, { limit, beforeId }: { limit: number; beforeId?: string | undefined }) {
      const last = beforeId === undefined ? afterEveryId : lastIdBefore(beforeId);
      const newest = {
        KeyConditionExpression: 'pk = :partition AND sk <= :last',
        values: { ':partition': partition, ':last': last },
        ScanIndexForward: false,
        ConsistentRead: true,
      };
      // One item more than requested shows whether there is a next page.
      const found = await query(newest, limit + 1);
      const items = found.slice(0, limit);
      return { items: items.map(fromItem), lastId: found.length > limit ? items.at(-1)?.sk?.S : undefined };
    },

    /** The keys of the items in a partition of the index `due` whose time has come: at most `limit`, or a page. */
    async due(partition: string, now: Date, { limit, after }: { limit?: number; after?: Item | undefined } = {}) {
      const { Items = [] } = await page({
        IndexName: 'due',
        KeyConditionExpression: 'duePartition = :partition AND dueAt <= :now',
        values: { ':partition': partition, ':now': now.toISOString() },
        Limit: limit,
        ExclusiveStartKey: after,
      });
      return Items.map((item) => dueEntrySchema.parse(fromItem(item)));
    },
  };
}

/** The items of a partition whose sort keys begin with a prefix, in order. */
export function prefixQuery(partition: string, prefix: string): Query {
  return {
    // DynamoDB rejects an empty value of a key.
    KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
    values: { ':pk': partition, ...(prefix !== '' && { ':prefix': prefix }) },
    ConsistentRead: true,
  };
}

/** Sends a conditional write. Undefined if its condition does not hold. */
async function ifHolds<Answer>(send: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await send();
  } catch (cause) {
    if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
    return undefined;
  }
}

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
