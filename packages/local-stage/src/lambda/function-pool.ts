import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Log } from '../log.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';
import { freeSandboxes, type PooledSandbox } from './free-sandboxes.ts';
import { InvocationError } from './invocation-error.ts';
import { nextTraceHeader } from './recursion.ts';
import type { InvocationResult } from './runtime-api.ts';
import { type SandboxEvent, startSandbox } from './sandbox.ts';

export type FunctionPoolOptions = {
  plan: FunctionPlan;
  endpoints: Endpoints;
  /** Parent of the temporary folders of the sandboxes. */
  temporaryDirectory: string;
  /** Module that each sandbox loads before the function. */
  preload?: string | undefined;
  /** Limits how many sandboxes start at once, over all functions. */
  coldStarts: LimitFunction;
  log: Log;
};

export type InvokeOptions = {
  /** Cancels an invocation that has not started. */
  signal?: AbortSignal;
  /** The trace header of the event, if a function has sent it. */
  traceHeader?: string | undefined;
  onStart?: () => void;
};

export type FunctionPool = {
  /**
   * Runs the function in an idle sandbox, else in the first that becomes idle or can be started. Waits while
   * `maxConcurrency` invocations run.
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
  size(): number;
};

/** Creates a pool. The first invocation starts the first sandbox. */
export function functionPool(options: FunctionPoolOptions): FunctionPool {
  const { plan, coldStarts } = options;
  const members = new Set<PooledSandbox>();
  const free = freeSandboxes({ members, start, coldStarts });
  const limit = pLimit(plan.maxConcurrency ?? Number.POSITIVE_INFINITY);
  let started = 0;
  let stopped = false;

  function start(): PooledSandbox {
    if (stopped) throw new Error(`${plan.name} was not invoked: the stage has stopped.`);
    started += 1;
    const name = `${plan.name}-${started}`;
    const temporaryDirectory = join(options.temporaryDirectory, name);
    const member: PooledSandbox = {
      sandbox: startSandbox({ ...options, temporaryDirectory, logStream: name }),
    };
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
    const member = await free.take(signal);
    const { invoke } = await member.sandbox;
    onStart?.();
    const result = await invoke({ requestId, traceHeader, payload });
    void free.add(member);
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
