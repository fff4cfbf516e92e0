import {
  encodeChunkInputSchema,
  runTaskMessage,
  type SecondRun,
  secondRunOf,
  type TaskCallbackDeps,
} from '../../../core/chunked/run-task-message.ts';
import type { TaskCallbacks, TaskQueue } from '../../../core/jobs/chunked-ports.ts';
import type { Invocation, Outcome } from './invocation-types.ts';
import { maxRunningChunks } from './owner-limits.ts';
import type { StateResult } from './run-machine.ts';
import type { World } from './world.ts';

/** As in lib/constructs/queues.ts. */
const visibilityTimeoutMs = 16 * 60_000;
const throttledRetryMs = 5_000;

/** The deduplication interval of a FIFO queue. */
const deduplicationMs = 5 * 60_000;

type TaskRef = { ownerId: string; jobId: string; chunk?: number };

export type TaskMessage<Task> = {
  task: Task;
  group: string;
  /** Called with each answer to the token. */
  onAnswer: (ending: StateResult) => void;
};

type Wrap = (invocation: Invocation, work: (secondRun: SecondRun | undefined) => Promise<unknown>) => Promise<unknown>;

/** Runs the function for a task: `main` wraps the function's own work. */
export type TaskWorker<Task> = (task: Task, wrap: Wrap, onEnd: (outcome: Outcome<unknown>) => void) => void;

type Stored<Task> = TaskMessage<Task> & {
  number: number;
  receives: number;
  hiddenUntil: number;
  /** A message of a second run has the same token. */
  token: { isAnswered: boolean; sentAgainAt: number };
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
  let sent = 0;

  const note = (
    { task: { ownerId, jobId, chunk }, group, number, inFlight }: Stored<Task>,
    status: 'delivered' | 'released',
  ) => {
    const delivery = `${name}/${number}/${inFlight}`;
    const ofChunk = chunk === undefined ? {} : { chunk };
    log({ kind: 'task', queue: name, delivery, ownerId, jobId, group, ...ofChunk, status });
  };
  const unlock = (message: Stored<Task>) => {
    note(message, 'released');
    message.inFlight = undefined;
    locked.delete(message.group);
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
    const delivery = message.receives;
    message.inFlight = delivery;
    note(message, 'delivered');
    const isInFlight = () => message.inFlight === delivery;
    message.hiddenUntil = scheduler.now() + visibilityTimeoutMs;
    const remove = () => {
      if (!isInFlight()) return;
      unlock(message);
      deliverNext();
    };
    const redeliverWhenVisible = () => {
      if (!isInFlight()) return;
      if (scheduler.now() < message.hiddenUntil) return void scheduler.at(message.hiddenUntil, redeliverWhenVisible);
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
      if (message.token.isAnswered) return;
      message.token.isAnswered = true;
      scheduler.at(scheduler.now() + plan.latencyMs(), () => message.onAnswer(ending));
    };
    const sendAgain = (second: Task, secondGroup: string) => {
      // Its content is the same each time.
      if (scheduler.now() < message.token.sentAgainAt + deduplicationMs) return;
      message.token.sentAgainAt = scheduler.now();
      enqueue({ ...message, task: second, group: secondGroup });
    };
    const wrap: Wrap = (invocation, work) => {
      const ports = portsOf(invocation, {
        hide,
        remove,
        answer,
        send: (body, secondGroup) => sendAgain((body as { task: Task }).task, secondGroup),
      });
      const delivered = { taskToken: name, receiptHandle: String(delivery), receiveCount: delivery };
      const encoding = encodeChunkInputSchema.safeParse(task).data;
      const secondRun =
        encoding && secondRunOf(ports.queue, { message: delivered, task: encoding, group, maxRunningChunks });
      return runTaskMessage(ports, { ...delivered, secondRun }, () => work(secondRun));
    };
    worker(task, wrap, (outcome) => {
      running -= 1;
      if (outcome !== 'dead' && 'value' in outcome) remove();
      deliverNext();
    });
  };
  const enqueue = (message: TaskMessage<Task> & Pick<Stored<Task>, 'token'>) => {
    waiting.push({ ...message, number: ++sent, receives: 0, hiddenUntil: 0, inFlight: undefined });
    scheduler.at(scheduler.now() + plan.latencyMs(), deliverNext);
  };
  return {
    send: (message) => enqueue({ ...message, token: { isAnswered: false, sentAgainAt: Number.NEGATIVE_INFINITY } }),
  };
}

type Effects = {
  send(body: object, group: string): void;
  hide(seconds: number): void;
  remove(): void;
  answer(ending: StateResult): void;
};

function portsOf({ call, clock, jobId }: Invocation, { hide, remove, answer, send }: Effects): TaskCallbackDeps {
  const about = jobId === undefined ? {} : { jobId };
  const queue: TaskQueue = {
    hide: (_, seconds) => call('tasks.hide', async () => hide(seconds), about),
    remove: () => call('tasks.remove', async () => remove(), about),
    send: (body, group) => call('tasks.send', async () => send(body, group), about),
  };
  const callbacks: TaskCallbacks = {
    succeed: () => call('tasks.succeed', async () => answer({}), about),
    fail: (_, { name }) => call('tasks.fail', async () => answer({ error: name }), about),
  };
  return { queue, callbacks, clock };
}
