import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, createQueues, emulatorTraffic, queueUrl, startSqs } from '@media-jobs/local-stage/emulators';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
import { taskQueue } from '../../../adapters/sqs/queues.ts';
import type { TaskQueue } from '../../../core/jobs/chunked-ports.ts';

const name = 'encode-chunk.fifo';

let queue: TaskQueue;
/** Receives the visible messages, each with its body and receipt handle. */
let receive: () => Promise<{ body: string; receiptHandle: string }[]>;

beforeEach(async () => {
  const emulator = await startSqs(await aTemporaryFolder(), emulatorTraffic());
  afterUse(emulator.stop);
  await createQueues(emulator.endpoint, [
    { name, QueueName: name, FifoQueue: true, ContentBasedDeduplication: true, VisibilityTimeout: 960 },
  ]);
  const client = new SQSClient(clientOptions(emulator.endpoint));
  const QueueUrl = queueUrl(emulator.endpoint, name);
  queue = taskQueue(client, QueueUrl);
  receive = async () => {
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    return Messages.map(({ Body = '', ReceiptHandle = '' }) => ({ body: Body, receiptHandle: ReceiptHandle }));
  };
  for (const task of ['first', 'second']) {
    const message = { MessageBody: task, MessageGroupId: 'acme#0', MessageDeduplicationId: task };
    await client.send(new SendMessageCommand({ QueueUrl, ...message }));
  }
  afterUse(() => client.destroy());
});

const bodies = async () => (await receive()).map(({ body }) => body);

/** Receives the first task; returns its receipt handle. FIFO: it holds its group until it is removed. */
async function receiveFirst(): Promise<string> {
  const [message] = await receive();
  expect(message?.body).toBe('first');
  expect(await bodies()).toEqual([]);
  return message?.receiptHandle ?? '';
}

describe('a message of a task', () => {
  it('stays hidden when its time is renewed', async () => {
    await queue.hide(await receiveFirst(), 60);
    expect(await bodies()).toEqual([]);
  });

  it('is hidden for the given seconds, of which SQS allows 12 hours', async () => {
    await expect(queue.hide(await receiveFirst(), 12 * 3600 + 1)).rejects.toThrow('43200');
  });

  it('does not return once it is removed, and frees its group', async () => {
    await queue.remove(await receiveFirst());
    expect(await bodies()).toEqual(['second']);
  });

  it('is sent to a group of its own, once however often it is repeated', async () => {
    await receiveFirst();
    for (let times = 0; times < 2; times += 1) await queue.send({ task: 'third' }, 'acme#1');
    expect(await bodies()).toEqual(['{"task":"third"}']);
  });

  it('cannot be hidden under an unknown receipt handle', () => expect(queue.hide('unknown', 60)).rejects.toThrow());
});
