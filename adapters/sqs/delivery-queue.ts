import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DeliveryQueue } from '../../core/webhooks/attempt.ts';

/** The queue of deliveries to begin. Its message groups share deliver-webhook fairly between owners, as in transcodeQueue. */
export function deliveryQueue(client: SQSClient, queueUrl: string): DeliveryQueue {
  return {
    send: async ({ ownerId, jobId, deliveryId }) => {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify({ ownerId, jobId, deliveryId }),
          MessageGroupId: ownerId,
        }),
      );
    },
  };
}
