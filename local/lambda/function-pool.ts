import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Log } from '../log.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';
import type { InvocationResult } from './runtime-api.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

/** An invocation that Lambda would not take: the function runs as often as it may already. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsException';
}

export type FunctionPoolOptions = {
  plan: FunctionPlan;
  endpoints: Endpoints;
  /** Where the sandboxes' temporary folders are made. */
  temporaryDirectory: string;
  /** A module that each sandbox loads before the function. */
  preload?: string | undefined;
  log: Log;
};

export type InvokeOptions = {
  /** Gives up an invocation that has not begun. */
  signal?: AbortSignal;
  /** Called when the invocation begins. */
  onStart?: () => void;
};

/** All sandboxes of one function. */
export type FunctionPool = {
  /**
   * Runs the function in a sandbox that is free, else in a new one; where this machine runs no more of them at once,
   * when one becomes free.
   *
   * @param event any JSON value
   * @throws TooManyRequestsError above the function's reserved concurrency
   */
  invoke(event: unknown, options?: InvokeOptions): Promise<InvocationResult>;
  /** Kills every sandbox, in the middle of whatever it does; the next invocation starts a new one. */
  kill(): Promise<void>;
  /** Kills every sandbox, and takes no invocation from then on, nor those that wait. */
  stop(): Promise<void>;
  /** How many sandboxes there are now. */
  size(): number;
};

// The quota of an account that never asked for another.
const accountConcurrency = 1000;

// Lambda keeps an idle sandbox for some minutes; the exact time is not documented.
const idleMs = 5 * 60_000;

type Member = { sandbox: Promise<Sandbox>; retire?: NodeJS.Timeout };

/** The pool of a function. No sandbox is started before the first invocation. */
export function functionPool(options: FunctionPoolOptions): FunctionPool {
  const { plan } = options;
  const members = new Set<Member>();
  const free = freeMembers(members);
  const inTurn = pLimit(plan.maxConcurrency ?? Number.POSITIVE_INFINITY);
  let started = 0;
  let stopped = false;

  function start(): Member {
    const limit = plan.reservedConcurrency ?? accountConcurrency;
    if (members.size >= limit) {
      throw new TooManyRequestsError(`Rate Exceeded: ${plan.name} runs ${members.size} times already`);
    }
    started += 1;
    const name = `${plan.name}-${started}`;
    const temporaryDirectory = join(options.temporaryDirectory, name);
    const member: Member = { sandbox: startSandbox({ ...options, temporaryDirectory, logStream: name }) };
    members.add(member);
    const forget = () => {
      members.delete(member);
      clearTimeout(member.retire);
    };
    member.sandbox.then(({ ended }) => ended).then(forget, forget);
    return member;
  }

  async function run(event: unknown, { signal, onStart }: InvokeOptions): Promise<InvocationResult> {
    signal?.throwIfAborted();
    const warm = await free.take();
    if (stopped) throw new Error(`The stage has stopped: ${plan.name} is not invoked.`);
    const member = warm ?? start();
    const { invoke } = await member.sandbox;
    onStart?.();
    const result = await invoke(randomUUID(), JSON.stringify(event));
    free.give(member);
    return result;
  }

  async function kill(): Promise<void> {
    const all = await Promise.all([...members].map(({ sandbox }) => sandbox));
    for (const { kill } of all) kill();
    await Promise.all(all.map(({ ended }) => ended));
  }

  return {
    invoke: (event, options = {}) => inTurn(run, event, options),
    kill,
    stop() {
      stopped = true;
      return kill();
    },
    size: () => members.size,
  };
}

/** The sandboxes that wait for work; each is retired when it has waited for long. */
function freeMembers(members: ReadonlySet<Member>) {
  const free: Member[] = [];
  return {
    // The one used last is the warmest. One that died after its answer is passed over.
    async take(): Promise<Member | undefined> {
      for (let taken = free.pop(); taken; taken = free.pop()) {
        clearTimeout(taken.retire);
        const { waitUntilReady } = await taken.sandbox;
        if (members.has(taken) && (await waitUntilReady())) return taken;
      }
      return undefined;
    },
    give(member: Member): void {
      if (!members.has(member)) return;
      member.retire = setTimeout(() => void member.sandbox.then(({ kill }) => kill()), idleMs).unref();
      free.push(member);
    },
  };
}
