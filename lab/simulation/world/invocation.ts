import { faultyCalls } from './calls.ts';
import { startLifetime } from './invocation-lifetime.ts';
import type { Invocation, Outcome } from './invocation-types.ts';
import type { World } from './world.ts';

export type InvocationOptions<T> = {
  app: string;
  /** The job of the invocation, if known. */
  jobId?: string | undefined;
  /** The platform kills it after so long. */
  timeoutMs: number;
  main: (invocation: Invocation) => Promise<T>;
  onEnd: (outcome: Outcome<T>) => void;
};

/**
 * Starts a function. After its death none of its promises resolves, so it does nothing more; calls that it has sent
 * may still arrive.
 */
export function invoke<T>(world: World, options: InvocationOptions<T>): void {
  const { app, jobId, onEnd } = options;
  const { scheduler, plan } = world;
  const id = world.nextInvocation();
  const run = { app, id, jobId, onEnd };
  const life = startLifetime<T>(world, run);
  const call = faultyCalls(world, app, life);
  const invocation: Invocation = {
    app,
    id,
    call,
    clock: life.clock,
    get jobId() {
      return run.jobId;
    },
    claimed: (claimedJobId) => {
      run.jobId = claimedJobId;
    },
  };
  scheduler.at(scheduler.now() + options.timeoutMs, () => life.die('timed-out', ''));
  const killAfterMs = plan.killAfterMs(app);
  if (killAfterMs !== undefined) scheduler.at(scheduler.now() + killAfterMs, () => life.die('killed', ''));
  life.wakeAt(scheduler.now(), () =>
    options.main(invocation).then(
      (value) => life.end({ value }),
      (error: unknown) => life.end({ error }),
    ),
  );
}
