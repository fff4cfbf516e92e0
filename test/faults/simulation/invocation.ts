import type { Clock } from '../../../core/jobs/ports.ts';
import type { Fault } from './fault.ts';
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

type Call = <T>(effect: string, perform: () => Promise<T>, options?: CallOptions<T>) => Promise<T>;

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

/** An error of a service, or of the way to it: it is unknown whether the call took effect. */
export class ServiceFailed extends Error {}

/**
 * Starts a function. Once it has died nothing that it waits for ever comes, so that it does nothing any more; what it
 * had sent out may still arrive.
 */
export function invoke<T>(world: World, options: InvocationOptions<T>): void {
  const { app } = options;
  const { scheduler, plan, log } = world;
  const id = world.nextInvocation();
  let isOver = false;
  let pausedUntil = 0;
  let made = 0;
  let awaited = 0;
  /** For each wait that goes on, how it is let go: a signal that is still listened to is never collected. */
  const asleep = new Set<() => void>();

  const end = (outcome: Outcome<T>) => {
    if (isOver) return;
    isOver = true;
    if (outcome !== 'dead' && asleep.size > 0)
      log({ kind: 'left-running', app, invocation: id, jobId: options.jobId });
    for (const stir of asleep) stir();
    options.onEnd(outcome);
  };
  const note = (fault: Fault | 'killed' | 'timed-out', effect: string, jobId = options.jobId) =>
    log({ kind: 'fault', fault, app, invocation: id, effect, jobId });
  const die = (fault: Fault | 'killed' | 'timed-out', effect: string, jobId?: string) => {
    if (isOver) return;
    note(fault, effect, jobId);
    end('dead');
  };
  const wakeAt = (moment: number, wake: () => void) =>
    scheduler.wakeAt(moment, () => {
      if (isOver) return;
      if (pausedUntil > scheduler.now()) wakeAt(pausedUntil, wake);
      else wake();
    });

  const call: Call = (effect, perform, { jobId, instead, once } = {}) => {
    const decided = isOver ? undefined : world.faultOf({ app, effect, goesOn: made > 0 && awaited === 0 });
    const fault = once && decided === 'duplicate' ? undefined : decided;
    if (isOver) return never();
    if (fault === 'crash-before') {
      die(fault, effect, jobId);
      return never();
    }
    made += 1;
    awaited += 1;
    return new Promise((resolve, reject) => {
      const begun = scheduler.now();
      const latency = fault === 'slow' ? plan.delayMs(fault) : plan.latencyMs(effect);
      const arrives = begun + latency + (fault === 'late' ? plan.delayMs(fault) : 0);
      const answers = begun + latency + plan.latencyMs(effect);
      let answer = instead ?? (() => Promise.reject(new ServiceFailed(`${effect}: ${fault}`)));
      if (fault !== 'fail') {
        scheduler.at(arrives, () => {
          const performed = settled(perform());
          if (fault === undefined || fault === 'slow' || fault === 'duplicate') answer = () => performed;
          if (fault === 'pause') {
            answer = () => performed;
            pausedUntil = scheduler.now() + plan.delayMs(fault);
          }
          if (fault === 'crash-after') die(fault, effect, jobId);
        });
      }
      if (fault === 'duplicate') scheduler.at(arrives + plan.delayMs(fault), () => void settled(perform()));
      if (fault !== undefined && fault !== 'crash-after') note(fault, effect, jobId);
      wakeAt(answers, () => {
        awaited -= 1;
        answer().then(resolve, reject);
      });
    });
  };

  const clock: Clock = {
    now: () => new Date(scheduler.now()),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (isOver) return;
        if (signal?.aborted || milliseconds <= 0) return resolve();
        const wake = () => {
          stir();
          if (!isOver) resolve();
        };
        const stir = () => {
          signal?.removeEventListener('abort', wake);
          asleep.delete(stir);
        };
        asleep.add(stir);
        signal?.addEventListener('abort', wake);
        wakeAt(scheduler.now() + milliseconds, wake);
      }),
  };

  scheduler.at(scheduler.now() + options.timeoutMs, () => die('timed-out', ''));
  const killAfterMs = plan.killAfterMs(app);
  if (killAfterMs !== undefined) scheduler.at(scheduler.now() + killAfterMs, () => die('killed', ''));
  wakeAt(scheduler.now(), () =>
    options.main({ app, id, jobId: options.jobId, call, clock }).then(
      (value) => end({ value }),
      (error: unknown) => end({ error }),
    ),
  );
}

/** The same promise, whose rejection nobody has to look at. */
function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
