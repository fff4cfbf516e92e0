import type { TaskCallbacks, TaskQueue } from '../../../core/chunking/ports.ts';
import { runTaskMessage, type TaskCallbackDeps } from '../../../functions/chunked/task.ts';
import type { Invocation, Outcome } from './invocation-types.ts';
import type { StateResult } from './run-machine.ts';
import type { World } from './world.ts';

/** As in lib/constructs/task-queue.ts. */
const visibilityTimeoutMs = 16 * 60_000;
const throttledRetryMs = 5_000;

type TaskRef = { ownerId: string; jobId: string };

export type TaskMessage<Task> = {
  task: Task;
  group: string;
  /** Called with the answer to the token, once. */
  onAnswer: (ending: StateResult) => void;
};

/** Runs the function for a task: `main` wraps the function's own work. */
export type TaskWorker<Task> = (
  task: Task,
  wrap: (invocation: Invocation, work: () => Promise<unknown>) => Promise<unknown>,
  onEnd: (outcome: Outcome<unknown>) => void,
) => void;

type Stored<Task> = TaskMessage<Task> & {
  receives: number;
  hiddenUntil: number;
  isAnswered: boolean;
  /** The delivery that is in flight: only its receipt handle is valid. */
  inFlight: number | undefined;
};

/**
 * A FIFO queue with its event source mapping: one message of a group is in flight at a time, and at most `maxConcurrency`
 * of all groups. A message whose function dies is delivered again once it is no longer hidden.
 */
export function taskQueueOf<Task extends TaskRef>(
  world: World,
  { name, maxConcurrency, worker }: { name: string; maxConcurrency: number; worker: TaskWorker<Task> },
): { send(message: TaskMessage<Task>): void } {
  const { scheduler, plan, log } = world;
  const waiting: Stored<Task>[] = [];
  const locked = new Set<string>();
  let running = 0;

  const unlock = (message: Stored<Task>) => {
    const { group, task } = message;
    message.inFlight = undefined;
    locked.delete(group);
    log({ kind: 'task', queue: name, ownerId: task.ownerId, jobId: task.jobId, group, status: 'released' });
  };
  const deliverNext = () => {
    if (running >= maxConcurrency) return;
    const next = waiting.find(({ group }) => !locked.has(group));
    if (next === undefined) return;
    if (plan.isThrottled(scheduler.now())) {
      scheduler.at(scheduler.now() + throttledRetryMs, deliverNext);
      return;
    }
    waiting.splice(waiting.indexOf(next), 1);
    deliver(next);
    deliverNext();
  };
  const deliver = (message: Stored<Task>) => {
    const { task, group } = message;
    locked.add(group);
    running += 1;
    message.receives += 1;
    log({ kind: 'task', queue: name, ownerId: task.ownerId, jobId: task.jobId, group, status: 'delivered' });
    const delivery = message.receives;
    message.inFlight = delivery;
    const isInFlight = () => message.inFlight === delivery;
    message.hiddenUntil = scheduler.now() + visibilityTimeoutMs;
    const remove = () => {
      if (!isInFlight()) return;
      unlock(message);
      deliverNext();
    };
    const redeliverWhenVisible = () => {
      if (!isInFlight()) return;
      if (scheduler.now() < message.hiddenUntil)
        return void scheduler.at(message.hiddenUntil, redeliverWhenVisible);
      unlock(message);
      waiting.unshift(message);
      deliverNext();
    };
    scheduler.at(message.hiddenUntil, redeliverWhenVisible);
    const hide = (seconds: number) => {
      if (!isInFlight()) return;
      message.hiddenUntil = scheduler.now() + seconds * 1_000;
      scheduler.at(message.hiddenUntil, redeliverWhenVisible);
    };
    const answer = (ending: StateResult) => {
      if (message.isAnswered) return;
      message.isAnswered = true;
      scheduler.at(scheduler.now() + plan.latencyMs(), () => message.onAnswer(ending));
    };
    const wrap = (invocation: Invocation, work: () => Promise<unknown>) =>
      runTaskMessage(
        portsOf(invocation, { hide, remove, answer }),
        { taskToken: name, receiptHandle: String(delivery), receiveCount: delivery },
        work,
      );
    worker(task, wrap, (outcome) => {
      running -= 1;
      if (outcome !== 'dead' && 'value' in outcome) remove();
      deliverNext();
    });
  };
  return {
    send: (message) => {
      const stored = { ...message, receives: 0, hiddenUntil: 0, isAnswered: false, inFlight: undefined };
      waiting.push(stored);
      scheduler.at(scheduler.now() + plan.latencyMs(), deliverNext);
    },
  };
}

type Effects = {
  hide(seconds: number): void;
  remove(): void;
  answer(ending: StateResult): void;
};

function portsOf({ call, clock, jobId }: Invocation, { hide, remove, answer }: Effects): TaskCallbackDeps {
  const about = jobId === undefined ? {} : { jobId };
  const queue: TaskQueue = {
    hide: (_, seconds) => call('tasks.hide', async () => hide(seconds), about),
    remove: () => call('tasks.remove', async () => remove(), about),
  };
  const callbacks: TaskCallbacks = {
    succeed: () => call('tasks.succeed', async () => answer({}), about),
    fail: (_, { name }) => call('tasks.fail', async () => answer({ error: name }), about),
  };
  return { queue, callbacks, clock };
}
