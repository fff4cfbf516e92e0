import { expect, it } from 'vitest';
import * as z from 'zod';
import { readTaskEvent } from '../../../functions/runtime/task-event.ts';
import { missingChunkEvent } from '../../../scripts/image/one-job.ts';

it('the event of a chunk that does not exist is one that a chunk worker accepts', () => {
  const event = missingChunkEvent('arn:aws:sqs:us-east-1:000000000000:tasks.fifo');
  const { task, message } = readTaskEvent(event, z.object({ chunk: z.number(), leaseId: z.string() }));
  expect(task).toEqual({ chunk: 0, leaseId: 'none' });
  expect(message.receiveCount).toBe(1);
});
