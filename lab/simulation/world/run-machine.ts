import {
  firstMatchingError,
  type Machine,
  type Retrier,
  resolvePath,
  resolveTemplate,
  retryAfterMs,
  type State,
} from './states-language.ts';

/** The result of a state: success, or the name of an error. */
export type StateResult = { error?: string };

/** A task for a queue, which is named by its placeholder. */
export type SentTask = { queue: string; group: string; task: unknown };

/** The environment of an execution. */
export type ExecutionContext = {
  /** Sends a task and calls back with the answer to its token. */
  sendTask(message: SentTask, onEnd: (ending: StateResult) => void): void;
  after(milliseconds: number, act: () => void): void;
  isOver(): boolean;
};

type Steps = { data: unknown; item?: unknown; onEnd: (ending: StateResult) => void };

/** Runs a state machine whose states discard the results of tasks: each gets the input of the machine. */
export function runMachine(machine: Machine, course: ExecutionContext, { data, item, onEnd }: Steps): void {
  const enter = (name: string) => {
    const state = machine.States[name];
    if (course.isOver()) return;
    if (state === undefined) throw new Error(`There is no state ${name}`);
    const leave = ({ error }: StateResult) => {
      if (course.isOver()) return;
      const next = error === undefined ? state.Next : firstMatchingError(error, state.Catch)?.Next;
      if (next !== undefined) enter(next);
      else onEnd(error === undefined ? {} : { error });
    };
    if (state.Type === 'Map') runMap(state, course, { data, item, onEnd: leave });
    else runTask(state, course, { data, item, onEnd: leave });
  };
  enter(machine.StartAt);
}

/** An inline Map: at most `MaxConcurrency` items at once; after a failure no other item continues. */
function runMap(state: State, course: ExecutionContext, { data, item: outer, onEnd }: Steps): void {
  const { ItemsPath = '$', ItemSelector = {}, MaxConcurrency = 40, ItemProcessor: processor } = state;
  if (processor === undefined) throw new Error('A Map has an ItemProcessor');
  const items = resolvePath(ItemsPath, { data, item: outer }) as unknown[];
  if (items.length === 0) {
    onEnd({});
    return;
  }
  const waiting = items.values();
  let left = items.length;
  let hasFailed = false;
  const inner = { ...course, isOver: () => hasFailed || course.isOver() };
  const takeOne = () => {
    const { value: item, done } = waiting.next();
    if (done) return;
    const selected = resolveTemplate(ItemSelector, { data, item });
    runMachine(processor, inner, {
      data: selected,
      item,
      onEnd: ({ error }) => {
        left -= 1;
        hasFailed = error !== undefined;
        if (hasFailed || left === 0) onEnd(error === undefined ? {} : { error });
        else takeOne();
      },
    });
  };
  for (let started = 0; started < Math.min(MaxConcurrency, items.length); started += 1) takeOne();
}

function runTask({ Parameters, Retry }: State, course: ExecutionContext, { data, item, onEnd }: Steps): void {
  if (Parameters === undefined) throw new Error('A task has Parameters');
  const { QueueUrl: queue, ...others } = Parameters;
  const { MessageGroupId, MessageBody } = resolveTemplate(others, { data, item });
  const { task } = MessageBody as { task: unknown };
  const message = { queue, group: String(MessageGroupId), task };
  const tries = new Map<Retrier, number>();
  const attempt = () => {
    if (course.isOver()) return;
    course.sendTask(message, (ending) => {
      if (course.isOver()) return;
      const retrier = ending.error === undefined ? undefined : firstMatchingError(ending.error, Retry);
      const tried = (retrier && tries.get(retrier)) ?? 0;
      if (retrier === undefined || tried >= (retrier.MaxAttempts ?? 3)) return onEnd(ending);
      tries.set(retrier, tried + 1);
      course.after(retryAfterMs(retrier, tried), attempt);
    });
  };
  attempt();
}
