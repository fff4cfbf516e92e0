import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { TranscodeQueue } from '../../core/jobs/ports.ts';

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
