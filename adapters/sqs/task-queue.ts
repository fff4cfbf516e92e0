import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { TaskQueue } from '../../core/jobs/chunked-ports.ts';

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
