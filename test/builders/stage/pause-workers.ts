import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { callEmulator } from '../../../local/emulators/aws-json.ts';
import { queueUrl } from '../../../local/emulators/sqs.ts';
import type { Stage } from '../../../local/stage.ts';

/**
 * Makes a stage's workers stand still, so that nothing but a test's own requests calls the emulators; the function
 * returned lets them go on.
 *
 * @param receiveFailed resolves when the stage has logged that a receive failed
 */
export async function pauseWorkers(stage: Stage, receiveFailed: Promise<void>): Promise<() => void> {
  const { sqs: endpoint } = stage.endpoints;
  const QueueUrl = queueUrl(endpoint, 'local-transcode');
  const resume = stage.faults.fail({ service: 'sqs', operation: 'ReceiveMessage', kind: 'error' });
  // The receive that was under way before the fault takes one more message: one about no job, which is ignored.
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
