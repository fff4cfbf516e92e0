import { randomUUID } from 'node:crypto';
import type { Stage } from '@media-jobs/local-stage';
import { callEmulator, queueUrl } from '@media-jobs/local-stage/emulators';
import { expect, vi } from 'vitest';

/**
 * Pauses a stage's workers, so that only a test's own requests call the emulators. Returns a function that resumes
 * them.
 *
 * @param receiveFailed resolves when the stage has logged that a receive failed
 */
export async function pauseWorkers(stage: Stage, receiveFailed: Promise<void>): Promise<() => void> {
  const { sqs: endpoint } = stage.endpoints;
  const QueueUrl = queueUrl(endpoint, 'media-jobs-local-transcode');
  const resume = stage.faults.fail({ service: 'sqs', operation: 'ReceiveMessage', kind: 'error' });
  // A receive that started before the fault takes one more message: this one names no job, so it is ignored.
  const MessageBody = JSON.stringify({ ownerId: 'nobody', jobId: randomUUID() });
  await callEmulator({ endpoint, target: 'AmazonSQS.SendMessage', body: { QueueUrl, MessageBody } });
  await receiveFailed;
  await vi.waitFor(async () => {
    const { Attributes } = await callEmulator<{ Attributes: Record<string, string> }>({
      endpoint,
      target: 'AmazonSQS.GetQueueAttributes',
      body: { QueueUrl, AttributeNames: ['ApproximateNumberOfMessagesNotVisible'] },
    });
    expect(Attributes).toEqual({ ApproximateNumberOfMessagesNotVisible: '0' });
  }, 30_000);
  return resume;
}
