import * as z from 'zod';
import type { TaskCallbackDeps, TaskMessage } from '../../core/chunked/run-task-message.ts';
import { jsonText } from '../../core/json-text.ts';
import { taskQueue } from '../sqs/queues.ts';
import { taskCallbacks } from '../stepfunctions/state-machines.ts';
import { systemClock } from '../system/clock.ts';
import { stepFunctions } from './clients/sfn.ts';
import { sqs } from './clients/sqs.ts';

export const taskEnvSchema = z.object({ TASK_QUEUE_URL: z.url() });

// The event source mapping has a batch size of 1.
const eventSchema = z.object({
  Records: z.tuple([
    z.object({
      receiptHandle: z.string(),
      body: jsonText(z.unknown()),
      attributes: z.object({ ApproximateReceiveCount: z.coerce.number().int().min(1), MessageGroupId: z.string() }),
    }),
  ]),
});

/** Reads the message and its task from an SQS event. Throws if it is no task of the state machine. */
export function readTaskEvent<Task>(
  event: unknown,
  taskSchema: z.ZodType<Task>,
): { message: TaskMessage; task: Task; group: string } {
  const [{ receiptHandle, body, attributes }] = eventSchema.parse(event).Records;
  const { taskToken, task } = z.object({ taskToken: z.string(), task: taskSchema }).parse(body);
  const { ApproximateReceiveCount: receiveCount, MessageGroupId: group } = attributes;
  return { message: { taskToken, receiptHandle, receiveCount }, task, group };
}

export function taskCallbackDeps({ TASK_QUEUE_URL }: z.output<typeof taskEnvSchema>): TaskCallbackDeps {
  return { queue: taskQueue(sqs, TASK_QUEUE_URL), callbacks: taskCallbacks(stepFunctions), clock: systemClock };
}
