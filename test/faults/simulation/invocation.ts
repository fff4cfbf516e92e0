import type { Clock } from '../../../core/jobs/ports.ts';
import { faultyCalls } from './calls.ts';
import { startLifetime } from './invocation-lifetime.ts';
import type { World } from './world.ts';

/** How an invocation ended, as the platform that made it sees it. */
export type Outcome<T> = { value: T } | { error: unknown } | 'dead';

type CallOptions<T> = {
  /** The job that the call is about, where that is not the invocation's. */
  jobId?: string;
  /** What the app gets in place of an answer; an error of the service unless told otherwise. */
  instead?: () => Promise<T>;
  /** Nothing on its way repeats it: one connection of our own, not a client that tries again. */
  once?: boolean;
};

/** Calls a service: `effect` names what the call does, `perform` does it where it arrives. */
export type Call = <T>(effect: string, perform: () => Promise<T>, options?: CallOptions<T>) => Promise<T>;

/** One run of a function: what it can do to the world, until it ends or dies. */
export type Invocation = { app: string; id: number; jobId: string | undefined; call: Call; clock: Clock };

export type InvocationOptions<T> = {
  app: string;
  /** The job that it is about, where it is known. */
  jobId?: string | undefined;
  /** The platform kills it after so long. */
  timeoutMs: number;
  main: (invocation: Invocation) => Promise<T>;
  onEnd: (outcome: Outcome<T>) => void;
};

/**
 * Starts a function. Once it has died nothing that it waits for ever comes, so that it does nothing any more; what it
 * had sent out may still arrive.
 */
export function invoke<T>(world: World, options: InvocationOptions<T>): void {
  const { app, jobId, onEnd } = options;
  const { scheduler, plan } = world;
  const id = world.nextInvocation();
  const life = startLifetime<T>(world, { app, id, jobId, onEnd });
  const call = faultyCalls(world, app, life);
  scheduler.at(scheduler.now() + options.timeoutMs, () => life.die('timed-out', ''));
  const killAfterMs = plan.killAfterMs(app);
  if (killAfterMs !== undefined) scheduler.at(scheduler.now() + killAfterMs, () => life.die('killed', ''));
  life.wakeAt(scheduler.now(), () =>
    options.main({ app, id, jobId, call, clock: life.clock }).then(
      (value) => life.end({ value }),
      (error: unknown) => life.end({ error }),
    ),
  );
}
