import type { LimitFunction } from 'p-limit';
import type { Sandbox } from './sandbox.ts';

export type PooledSandbox = { sandbox: Promise<Sandbox>; retire?: NodeJS.Timeout };

// Lambda keeps an idle sandbox for some minutes. The exact time is not documented.
const idleMs = 5 * 60_000;

export type FreeSandboxesOptions = {
  members: ReadonlySet<PooledSandbox>;
  start: () => PooledSandbox;
  coldStarts: LimitFunction;
};

/** The sandboxes of a function that run no invocation. Each is killed after five idle minutes. */
export type FreeSandboxes = {
  /**
   * The most recently used idle sandbox, else the first that becomes idle or starts.
   *
   * @param signal ends the wait
   */
  take(signal?: AbortSignal): Promise<PooledSandbox>;
  /** The sandbox has ended an invocation. */
  add(member: PooledSandbox): Promise<void>;
};

/**
 * Creates the free sandboxes of a function, without any.
 *
 * Lambda starts each sandbox on a CPU of its own. Here they share the CPUs of the machine with those that run: unlimited
 * starts slow all requests, which starts still more, until the memory is full.
 */
export function freeSandboxes({ members, start, coldStarts }: FreeSandboxesOptions): FreeSandboxes {
  const idle: PooledSandbox[] = [];
  const waiting = new Set<PromiseWithResolvers<PooledSandbox>>();

  // Skips a sandbox that died after its response.
  async function takeIdle(): Promise<PooledSandbox | undefined> {
    for (let taken = idle.pop(); taken; taken = idle.pop()) {
      clearTimeout(taken.retire);
      if (await isReady(taken)) return taken;
    }
    return undefined;
  }

  async function isReady(member: PooledSandbox): Promise<boolean> {
    const { waitUntilReady } = await member.sandbox;
    return members.has(member) && (await waitUntilReady());
  }

  async function startFor(waiter: PromiseWithResolvers<PooledSandbox>): Promise<void> {
    if (!waiting.delete(waiter)) return;
    try {
      const member = start();
      waiter.resolve(member);
      await isReady(member);
    } catch (error) {
      waiter.reject(error);
    }
  }

  return {
    async take(signal) {
      const warm = await takeIdle();
      if (warm) return warm;
      signal?.throwIfAborted();
      const waiter = Promise.withResolvers<PooledSandbox>();
      const giveUp = () => {
        waiting.delete(waiter);
        waiter.reject(signal?.reason);
      };
      waiting.add(waiter);
      void coldStarts(startFor, waiter);
      signal?.addEventListener('abort', giveUp, { once: true });
      return waiter.promise.finally(() => signal?.removeEventListener('abort', giveUp));
    },
    async add(member) {
      if (waiting.size > 0 && !(await isReady(member))) return;
      if (!members.has(member)) return;
      const [waiter] = waiting;
      if (waiter) {
        waiting.delete(waiter);
        waiter.resolve(member);
        return;
      }
      member.retire = setTimeout(() => void member.sandbox.then(({ kill }) => kill()), idleMs).unref();
      idle.push(member);
    },
  };
}
