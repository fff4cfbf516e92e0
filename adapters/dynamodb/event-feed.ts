import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type EventFeed, type FeedEntry, feedDays, feedEntrySchema, positionOf } from '../../core/feed/feed-entry.ts';
import { fromItem, type Item, isNew, openTable, toItem } from './table.ts';
import { eventsPartition } from './table-keys.ts';

export function eventFeed(client: DynamoDBClient, tableName: string): EventFeed {
  const table = openTable(client, tableName);
  const itemOf = ({ ownerId, ...fields }: FeedEntry): Item =>
    toItem({
      pk: eventsPartition(ownerId),
      sk: positionOf(fields),
      ...fields,
      // A day more: the cursor of a reader decides what is too old.
      expiresAt: Math.ceil(fields.placeMs / 1000) + (feedDays + 1) * 86_400,
    });
  return {
    add: async (entry) => void (await table.put(itemOf(entry), isNew)),
    move: async (entry, toMs) => void (await table.put(itemOf({ ...entry, movedToMs: toMs }))),
    async get(entry) {
      const item = await table.get(toItem({ pk: eventsPartition(entry.ownerId), sk: positionOf(entry) }));
      return item && fromFeedItem(entry.ownerId, item);
    },
    async list({ ownerId, after, before, limit }) {
      const between = {
        KeyConditionExpression: 'pk = :owner AND sk BETWEEN :after AND :before',
        // BETWEEN is inclusive: a space makes the first key exclusive. No entry has the other, which is a time alone.
        values: { ':owner': eventsPartition(ownerId), ':after': `${after} `, ':before': before },
        ConsistentRead: true,
      };
      return (await table.query(between, limit)).map((item) => fromFeedItem(ownerId, item));
    },
  };
}

function fromFeedItem(ownerId: string, item: Item): FeedEntry {
  return feedEntrySchema.parse({ ...fromItem(item), ownerId });
}
