import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, expect, it, vi } from 'vitest';
import { largeTranscodeDefinition } from '../../../lib/state-machines/large-transcode.ts';
import { clientOptions } from '../../../local/emulators/client-options.ts';
import { createQueues, queueUrl, startSqs } from '../../../local/emulators/sqs.ts';
import { emulatorTraffic } from '../../../local/emulators/traffic.ts';
import type { QueueMessage } from '../../../local/permissions/guard-invocations.ts';
import { aTemporaryFolder } from '../../builders/system/temporary-folder.ts';
import { aStateMachine } from '../../local/builders/a-state-machine.ts';

const name = 'transcode-large.fifo';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The definition with the values that the deployment puts into it. */
function definition(url: string): object {
  const text = JSON.stringify(largeTranscodeDefinition({ timeoutSeconds: 60 }));
  return JSON.parse(text.replaceAll('${Partition}', 'aws').replaceAll('${TranscodeLargeQueue}', url));
}

/** The state machine with its FIFO queue, whose messages the test receives. */
async function aMachineWithItsQueue() {
  const sqs = await startSqs(await aTemporaryFolder(), emulatorTraffic());
  stops.push(sqs.stop);
  await createQueues(sqs.endpoint, [{ name, FifoQueue: true, ContentBasedDeduplication: true }]);
  const client = new SQSClient(clientOptions(sqs.endpoint));
  const QueueUrl = queueUrl(sqs.endpoint, name);
  const sent: QueueMessage[] = [];
  const send = async (message: QueueMessage) => {
    await client.send(new SendMessageCommand({ ...message, QueueUrl }));
    sent.push(message);
  };
  const machine = await aStateMachine(definition(QueueUrl), { send });
  return {
    /** Starts an execution and waits until the queue has its message. */
    async submit(ownerId: string, jobId: string) {
      const before = sent.length;
      await machine.start({ ownerId, jobId, leaseId: 'lease', group: `${ownerId}#0` });
      await vi.waitUntil(() => sent.length > before, { timeout: 20_000, interval: 5 });
    },
    /** The job that the queue gives to a free function; undefined if it has none. */
    async receive() {
      const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
      const [message] = Messages ?? [];
      if (message === undefined) return undefined;
      const { ReceiptHandle } = message;
      const { jobId } = JSON.parse(message.Body ?? '').task;
      return { jobId, end: () => client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })) };
    },
  };
}

it('the jobs of two owners alternate, however many one of them submitted before', async () => {
  const { submit, receive } = await aMachineWithItsQueue();
  for (const jobId of ['busy-1', 'busy-2', 'busy-3']) await submit('busy', jobId);
  await submit('other', 'other-1');
  const first = await receive();
  const second = await receive();
  expect([first?.jobId, second?.jobId]).toEqual(['busy-1', 'other-1']);
  expect(await receive()).toBeUndefined();
  await submit('other', 'other-2');
  await first?.end();
  expect((await receive())?.jobId).toBe('busy-2');
  await second?.end();
  expect((await receive())?.jobId).toBe('other-2');
});
