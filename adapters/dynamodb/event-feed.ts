import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type EventFeed, type FeedEntry, feedDays, feedEntrySchema, positionOf } from '../../core/feed/feed-entry.ts';
import { fromItem, getItem, type Item, putItem, queryItems, toItem, writeIf } from './item.ts';
import { eventsPartition } from './table-keys.ts';

export function eventFeed(client: DynamoDBClient, tableName: string): EventFeed {
  const put = (entry: FeedEntry, ConditionExpression?: string) => {
    const { ownerId, ...fields } = entry;
    const item = toItem({
      pk: eventsPartition(ownerId),
      sk: positionOf(entry),
      ...fields,
      // A day more: the cursor of a reader decides what is too old.
      expiresAt: Math.ceil(entry.placeMs / 1000) + (feedDays + 1) * 86_400,
    });
    return putItem(client, tableName, item, { ConditionExpression });
  };
  return {
    async add(entry) {
      await writeIf(() => put(entry, 'attribute_not_exists(pk)'));
    },
    async move(entry, toMs) {
      await put({ ...entry, movedToMs: toMs });
    },
    async get(entry) {
      const key = toItem({ pk: eventsPartition(entry.ownerId), sk: positionOf(entry) });
      const item = await getItem(client, tableName, key);
      return item && fromFeedItem(entry.ownerId, item);
    },
    async list({ ownerId, after, before, limit }) {
      const items = await queryItems(
        client,
        {
          TableName: tableName,
          KeyConditionExpression: 'pk = :owner AND sk BETWEEN :after AND :before',
          ExpressionAttributeValues: toItem({
            ':owner': eventsPartition(ownerId),
            // BETWEEN is inclusive: a space makes the first key exclusive. No entry has the other, which is a time alone.
            ':after': `${after} `,
            ':before': before,
          }),
          ConsistentRead: true,
        },
        limit,
      );
      return items.map((item) => fromFeedItem(ownerId, item));
    },
  };
}

function fromFeedItem(ownerId: string, item: Item): FeedEntry {
  return feedEntrySchema.parse({ ...fromItem(item), ownerId });
}
