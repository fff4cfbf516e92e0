import { expect, it } from 'vitest';
import { secondRunOf } from '../../../core/chunked/run-task-message.ts';

const task = {
  ownerId: 'acme#1',
  jobId: 'job-1',
  leaseId: 'lease',
  planKey: 'plan',
  chunk: 3,
  isSecondRun: false,
};
const options = {
  message: { taskToken: 'token', receiptHandle: 'receipt', receiveCount: 1 },
  task,
  group: 'acme#1#2',
  maxRunningChunks: 3,
};

function aQueue() {
  const sent: unknown[][] = [];
  return { sent, queue: { send: async (...message: unknown[]) => void sent.push(message) } };
}

it('a second run has the token of the first and the next message group of the owner', async () => {
  const { sent, queue } = aQueue();
  const second = secondRunOf(queue, options);
  expect(second?.isStarted()).toBe(false);
  await second?.start();
  expect(sent).toEqual([[{ taskToken: 'token', task: { ...task, isSecondRun: true } }, 'acme#1#0']]);
  expect(second?.isStarted()).toBe(true);
});

it('a second run without a number of groups has a group of its own', async () => {
  const { sent, queue } = aQueue();
  await secondRunOf(queue, { ...options, group: 'job-1#3', maxRunningChunks: undefined })?.start();
  expect(sent).toMatchObject([[{ taskToken: 'token' }, 'job-1#3#2']]);
});

it('a second run is sent once, and again only while the queue does not answer', async () => {
  const { sent, queue } = aQueue();
  let answers = false;
  const send: typeof queue.send = async (...message) => {
    await queue.send(...message);
    if (!answers) throw new Error('The queue does not answer');
  };
  const second = secondRunOf({ send }, options);
  await expect(second?.start()).rejects.toThrow('does not answer');
  expect(second?.isStarted()).toBe(false);
  answers = true;
  for (let calls = 0; calls < 3; calls += 1) await second?.start();
  expect(sent).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
});

it.each([
  ['a second run', { task: { ...task, isSecondRun: true } }],
  ['a redelivered message', { message: { ...options.message, receiveCount: 2 } }],
  ['an owner with one message group, which the first run has locked', { maxRunningChunks: 1 }],
])('%s has no second run', (_, differences) => {
  expect(secondRunOf(aQueue().queue, { ...options, ...differences })).toBeUndefined();
});

it('a group of another form is an error', async () => {
  await expect(secondRunOf(aQueue().queue, { ...options, group: 'acme' })?.start()).rejects.toThrow('acme');
});
