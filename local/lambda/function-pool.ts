import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Log } from '../log.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';
import { InvocationError } from './invocation-error.ts';
import { nextTraceHeader } from './recursion.ts';
import type { InvocationResult } from './runtime-api.ts';
import { type Sandbox, type SandboxEvent, startSandbox } from './sandbox.ts';

export type FunctionPoolOptions = {
  plan: FunctionPlan;
  endpoints: Endpoints;
  /** Parent of the temporary folders of the sandboxes. */
  temporaryDirectory: string;
  /** Module that each sandbox loads before the function. */
  preload?: string | undefined;
  log: Log;
};

export type InvokeOptions = {
  /** Cancels an invocation that has not started. */
  signal?: AbortSignal;
  /** The trace header of the event, if a function has sent it. */
  traceHeader?: string | undefined;
  /** Called when the invocation starts. */
  onStart?: () => void;
};

/** The sandboxes of one function. */
export type FunctionPool = {
  /**
   * Runs the function in an idle sandbox, else in a new one. Waits while `maxConcurrency` invocations run.
   *
   * @param event any JSON value
   * @throws InvocationError `RequestTooLargeException` for an event above 6 MB, `RecursiveInvocationException` at the end of
   *   a recursive loop
   */
  invoke(event: unknown, options?: InvokeOptions): Promise<InvocationResult>;
  /** Kills every sandbox, including busy ones. The next invocation starts a new one. */
  kill(): Promise<void>;
  /** Kills every sandbox, and rejects all waiting and further invocations. */
  stop(): Promise<void>;
  /** Number of sandboxes. */
  size(): number;
};

// Lambda keeps an idle sandbox for some minutes. The exact time is not documented.
const idleMs = 5 * 60_000;

type Member = { sandbox: Promise<Sandbox>; retire?: NodeJS.Timeout };

/** Creates a pool. The first invocation starts the first sandbox. */
export function functionPool(options: FunctionPoolOptions): FunctionPool {
  const { plan } = options;
  const members = new Set<Member>();
  const idle = idleMembers(members);
  const limit = pLimit(plan.maxConcurrency ?? Number.POSITIVE_INFINITY);
  let started = 0;
  let stopped = false;

  function start(): Member {
    started += 1;
    const name = `${plan.name}-${started}`;
    const temporaryDirectory = join(options.temporaryDirectory, name);
    const member: Member = { sandbox: startSandbox({ ...options, temporaryDirectory, logStream: name }) };
    members.add(member);
    const remove = () => {
      members.delete(member);
      clearTimeout(member.retire);
    };
    member.sandbox.then(({ ended }) => ended).then(remove, remove);
    return member;
  }

  async function run(
    { requestId, traceHeader, payload }: SandboxEvent,
    { signal, onStart }: InvokeOptions,
  ): Promise<InvocationResult> {
    signal?.throwIfAborted();
    const warm = await idle.take();
    if (stopped) throw new Error(`${plan.name} was not invoked: the stage has stopped.`);
    const member = warm ?? start();
    const { invoke } = await member.sandbox;
    onStart?.();
    const result = await invoke({ requestId, traceHeader, payload });
    idle.add(member);
    return result;
  }

  async function kill(): Promise<void> {
    const all = await Promise.all([...members].map(({ sandbox }) => sandbox));
    for (const { kill } of all) kill();
    await Promise.all(all.map(({ ended }) => ended));
  }

  return {
    async invoke(event, options = {}) {
      const requestId = randomUUID();
      const rule = { functionName: plan.name, allowsRecursion: plan.allowsRecursion };
      const traceHeader = nextTraceHeader(options.traceHeader, requestId, rule);
      return limit(run, { requestId, traceHeader, payload: serializeEvent(event) }, options);
    },
    kill,
    stop() {
      stopped = true;
      return kill();
    },
    size: () => members.size,
  };
}

/** Lambda's quota for the event of a synchronous invocation: 6 MB. */
const maxEventBytes = 6 * 1024 * 1024;

function serializeEvent(event: unknown): string {
  const payload = JSON.stringify(event);
  const bytes = Buffer.byteLength(payload);
  if (bytes <= maxEventBytes) return payload;
  throw new InvocationError(
    'RequestTooLargeException',
    `${bytes} byte payload is too large for the RequestResponse invocation type (limit ${maxEventBytes} bytes)`,
  );
}

/** Idle sandboxes. Each is killed after `idleMs`. */
function idleMembers(members: ReadonlySet<Member>) {
  const idle: Member[] = [];
  return {
    // Takes the most recently used one. Skips a sandbox that died after its response.
    async take(): Promise<Member | undefined> {
      for (let taken = idle.pop(); taken; taken = idle.pop()) {
        clearTimeout(taken.retire);
        const { waitUntilReady } = await taken.sandbox;
        if (members.has(taken) && (await waitUntilReady())) return taken;
      }
      return undefined;
    },
    add(member: Member): void {
      if (!members.has(member)) return;
      member.retire = setTimeout(() => void member.sandbox.then(({ kill }) => kill()), idleMs).unref();
      idle.push(member);
    },
  };
}
