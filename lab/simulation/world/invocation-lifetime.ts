import type { Clock } from '../../../core/jobs/ports.ts';
import type { Fault } from './fault.ts';
import type { Outcome } from './invocation-types.ts';
import type { World } from './world.ts';

type Death = Fault | 'killed' | 'timed-out' | 'interrupted';

/** The lifetime of an invocation, until it ends or dies. */
export type InvocationLifetime<T> = {
  isOver(): boolean;
  end(outcome: Outcome<T>): void;
  die(of: Death, effect: string, jobId?: string): void;
  /** Logs a fault. */
  note(what: Death, effect: string, jobId?: string): void;
  /** Freezes the invocation: nothing wakes it meanwhile. */
  pause(milliseconds: number): void;
  /** Calls back at a time, unless the invocation is over by then. */
  wakeAt(moment: number, wake: () => void): void;
  clock: Clock;
};

export type Run<T> = {
  app: string;
  id: number;
  jobId: string | undefined;
  onEnd: (outcome: Outcome<T>) => void;
};

/** Starts the lifetime of an invocation. */
export function startLifetime<T>({ scheduler, log }: World, run: Run<T>): InvocationLifetime<T> {
  const { app, id, onEnd } = run;
  const begunAt = scheduler.now();
  let over = false;
  let pausedUntil = 0;
  /** Cancels each pending sleep: a signal with listeners is never garbage-collected. */
  const asleep = new Set<() => void>();

  const end = (outcome: Outcome<T>) => {
    if (over) return;
    over = true;
    if (run.jobId !== undefined)
      log({ kind: 'ended', app, invocation: id, jobId: run.jobId, ms: scheduler.now() - begunAt });
    if (outcome !== 'dead' && asleep.size > 0) log({ kind: 'left-running', app, invocation: id, jobId: run.jobId });
    for (const stir of asleep) stir();
    onEnd(outcome);
  };
  const note: InvocationLifetime<T>['note'] = (fault, effect, jobId = run.jobId) =>
    log({ kind: 'fault', fault, app, invocation: id, effect, jobId, jobOfInvocation: run.jobId });
  const wakeAt: InvocationLifetime<T>['wakeAt'] = (moment, wake) =>
    scheduler.wakeAt(moment, () => {
      if (over) return;
      if (pausedUntil > scheduler.now()) wakeAt(pausedUntil, wake);
      else wake();
    });
  const now = () => scheduler.now();
  const life = { isOver: () => over, wakeAt, now };
  return {
    ...life,
    end,
    note,
    die(of, effect, jobId) {
      if (over) return;
      note(of, effect, jobId);
      end('dead');
    },
    pause(milliseconds) {
      pausedUntil = scheduler.now() + milliseconds;
    },
    clock: clockOf(life, asleep),
  };
}

type Waking = { isOver(): boolean; wakeAt(moment: number, wake: () => void): void; now(): number };

function clockOf({ isOver, wakeAt, now }: Waking, asleep: Set<() => void>): Clock {
  return {
    now: () => new Date(now()),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (isOver()) return;
        if (signal?.aborted || milliseconds <= 0) return resolve();
        const wake = () => {
          stir();
          if (!isOver()) resolve();
        };
        const stir = () => {
          signal?.removeEventListener('abort', wake);
          asleep.delete(stir);
        };
        asleep.add(stir);
        signal?.addEventListener('abort', wake);
        wakeAt(now() + milliseconds, wake);
      }),
  };
}
