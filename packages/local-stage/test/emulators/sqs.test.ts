import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { clientOptions } from '../../src/aws-names.ts';
import { createQueues, queueUrl, startSqs } from '../../src/emulators/sqs.ts';
import { emulatorTraffic } from '../../src/emulators/traffic.ts';
import type { StagePlan } from '../../src/template/stage-plan.ts';

type QueuePlan = StagePlan['queues'][number];

const deadLetters: QueuePlan = { name: 'dead-letters' };
const jobs: QueuePlan = {
  name: 'jobs',
  VisibilityTimeout: 5400,
  RedrivePolicy: { deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead-letters', maxReceiveCount: 1 },
};

async function queuesIn(directory: string, queues: QueuePlan[]) {
  const emulator = await startSqs(directory, emulatorTraffic());
  const stop = afterUse(emulator.stop);
  await createQueues(emulator.endpoint, queues);
  const client = new SQSClient(clientOptions(emulator.endpoint));
  return { client, emulator, stop, urlOf: (name: string) => queueUrl(emulator.endpoint, name) };
}

it('the SQS emulator has the queues and attributes of the template', async () => {
  const { client, urlOf } = await queuesIn(await aTemporaryFolder(), [jobs, deadLetters]);
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: urlOf('jobs'), AttributeNames: ['All'] }),
  );
  expect(Attributes).toMatchObject({ VisibilityTimeout: '5400', RedrivePolicy: JSON.stringify(jobs.RedrivePolicy) });
});

it('the SQS emulator keeps a message across a restart on another port', async () => {
  const directory = await aTemporaryFolder();
  const before = await queuesIn(directory, [jobs, deadLetters]);
  const message = { QueueUrl: before.urlOf('jobs'), MessageBody: 'job-1', MessageGroupId: 'owner-1' };
  await before.client.send(new SendMessageCommand(message));
  await before.stop();
  const { client, urlOf } = await queuesIn(directory, [jobs, deadLetters]);
  const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl: urlOf('jobs') }));
  expect(Messages).toMatchObject([{ Body: 'job-1' }]);
});

it('a message goes to the dead-letter queue after the maximum number of receives', async () => {
  const { client, urlOf } = await queuesIn(await aTemporaryFolder(), [{ ...jobs, VisibilityTimeout: 0 }, deadLetters]);
  await client.send(new SendMessageCommand({ QueueUrl: urlOf('jobs'), MessageBody: 'unreadable' }));
  const receive = async (name: string) =>
    (await client.send(new ReceiveMessageCommand({ QueueUrl: urlOf(name) }))).Messages?.map(({ Body }) => Body);
  expect(await receive('jobs')).toEqual(['unreadable']);
  expect(await receive('jobs')).toBeUndefined();
  expect(await receive('dead-letters')).toEqual(['unreadable']);
});

it('queue URLs resolve on every machine', async () => {
  const { client, emulator } = await queuesIn(await aTemporaryFolder(), []);
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'another' }));
  expect(QueueUrl).toBe(`${emulator.endpoint}/000000000000/another`);
});

it('the SQS emulator rejects a message above 1 MB', async () => {
  const { client, urlOf } = await queuesIn(await aTemporaryFolder(), [deadLetters]);
  const send = (bytes: number) =>
    client.send(new SendMessageCommand({ QueueUrl: urlOf('dead-letters'), MessageBody: 'x'.repeat(bytes) }));
  await send(1_048_576);
  await expect(send(1_048_577)).rejects.toThrow('Message must be shorter than 1048576 bytes');
});

it('the SQS emulator starts again with a FIFO queue whose attributes are not the defaults', async () => {
  const directory = await aTemporaryFolder();
  const fifo: QueuePlan = { name: 'tasks.fifo', FifoQueue: true, ContentBasedDeduplication: true };
  const before = await queuesIn(directory, [fifo]);
  await before.stop();
  const { client, urlOf } = await queuesIn(directory, [fifo]);
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: urlOf('tasks.fifo'), AttributeNames: ['All'] }),
  );
  expect(Attributes).toMatchObject({ ContentBasedDeduplication: 'true' });
});
