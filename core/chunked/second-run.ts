import type { TaskQueue } from '../jobs/chunked-ports.ts';
import { nextMessageGroup } from '../jobs/message-groups.ts';
import type { EncodeChunkInput, TaskMessage } from './run-task-message.ts';

/** A second run of a chunk task, beside the first one, which has turned out to be slow. */
export type SecondRun = {
  /** Sends the task to its queue once more. Does nothing if that has happened. */
  start(): Promise<void>;
  /** Whether the task has been sent. From then on its second message answers for a failure. */
  isStarted(): boolean;
};

export type SecondRunOptions = {
  message: TaskMessage;
  task: EncodeChunkInput;
  /** Message group of the first run. */
  group: string;
  maxRunningChunks: number | undefined;
};

/**
 * The second run of the task of a message: another message with the same task token, so that the first answer counts. It
 * is in the next message group of the owner, since that of the first run is locked. Undefined for a task that has run
 * twice, is a redelivered one, or whose owner has one group only: a task runs at most twice unless functions die.
 */
export function secondRunOf(
  queue: { send: TaskQueue['send'] },
  { message: { taskToken, receiveCount }, task, group, maxRunningChunks }: SecondRunOptions,
): SecondRun | undefined {
  if (task.isSecondRun || receiveCount > 1 || maxRunningChunks === 1) return undefined;
  let isStarted = false;
  return {
    async start() {
      if (isStarted) return;
      // Until its answer arrives, the request is repeated; the queue drops messages of equal content.
      await queue.send({ taskToken, task: { ...task, isSecondRun: true } }, nextMessageGroup(group, maxRunningChunks));
      isStarted = true;
    },
    isStarted: () => isStarted,
  };
}
