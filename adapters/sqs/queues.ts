import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { TaskQueue } from '../../core/jobs/chunked-ports.ts';
import type { TranscodeQueue } from '../../core/jobs/ports.ts';
import type { DeliveryQueue } from '../../core/webhooks/delivery.ts';

/**
 * The queue of jobs to transcode. The message group of a standard queue shares the workers fairly between owners (SQS
 * Developer Guide, "Amazon SQS fair queues").
 */
export function transcodeQueue(client: SQSClient, queueUrl: string): TranscodeQueue {
  return {
    send: async ({ ownerId, jobId }, { delaySeconds } = {}) => {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify({ ownerId, jobId }),
          MessageGroupId: ownerId,
          DelaySeconds: delaySeconds,
        }),
      );
    },
  };
}

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

/**
 * A FIFO queue of tasks that the state machine sends, as the function that processes them uses it. It deduplicates by
 * content.
 */
export function taskQueue(client: SQSClient, queueUrl: string): TaskQueue {
  return {
    async hide(receiptHandle, seconds) {
      await client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: seconds,
        }),
      );
    },
    async remove(receiptHandle) {
      await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receiptHandle }));
    },
    async send(body, group) {
      const message = { MessageBody: JSON.stringify(body), MessageGroupId: group };
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, ...message }));
    },
  };
}
