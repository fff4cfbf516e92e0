import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { WebhookTests } from '../../core/webhooks/ports.ts';
import { toItem } from './item.ts';
import { ownerPartition, webhookTestSort } from './table-keys.ts';

/** Running webhook tests on DynamoDB: one item per owner. */
export function webhookTests(client: DynamoDBClient, tableName: string): WebhookTests {
  const keyOf = (ownerId: string) => toItem({ pk: ownerPartition(ownerId), sk: webhookTestSort });
  return {
    begin: async ({ ownerId, testId, expiresAt }, now) => {
      const Key = keyOf(ownerId);
      const endsAt = expiresAt.getTime();
      const item = { testId, endsAt, expiresAt: Math.ceil(endsAt / 1000) };
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: { ...toItem(item), ...Key },
            ConditionExpression: 'attribute_not_exists(pk) OR endsAt <= :now',
            ExpressionAttributeValues: toItem({ ':now': now.getTime() }),
          }),
        );
        return true;
      } catch (cause) {
        if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
        const { Item } = await client.send(
          new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
        );
        // The SDK retries a put whose response was lost.
        return Item?.testId?.S === testId;
      }
    },
    end: async ({ ownerId, testId }) => {
      try {
        await client.send(
          new DeleteItemCommand({
            TableName: tableName,
            Key: keyOf(ownerId),
            ConditionExpression: 'testId = :testId',
            ExpressionAttributeValues: toItem({ ':testId': testId }),
          }),
        );
      } catch (cause) {
        // It has expired, and another test may be running.
        if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      }
    },
  };
}
