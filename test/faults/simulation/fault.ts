/**
 * What can go wrong with one call of an app to the world outside.
 * - `crash-before`, `crash-after`: the function dies with the call unmade, or made and unanswered.
 * - `fail`: an error, and nothing has happened.
 * - `lost-answer`: an error, and it has happened all the same.
 * - `late`: an error, and it happens seconds later.
 * - `duplicate`: it happens, and seconds later once more.
 * - `slow`: it happens and is answered, but only after seconds.
 * - `pause`: the function stands still for longer than a lease once it has happened, then runs on.
 */
export const faults = [
  'crash-before',
  'crash-after',
  'fail',
  'lost-answer',
  'late',
  'duplicate',
  'slow',
  'pause',
] as const;

export type Fault = (typeof faults)[number];

/** One call, as it is about to be made. */
export type CallPoint = {
  /** Which call of the whole run, from 0. */
  index: number;
  app: string;
  /** Port and method, such as `jobs.write`. */
  effect: string;
  now: number;
  /**
   * Whether the invocation has made a call before, and waits for no answer. Then dying before this call is the same to
   * the world as having died after the last one.
   */
  goesOn: boolean;
};

/** Decides the fate of each call. */
export type FaultPlan = {
  faultOf(point: CallPoint): Fault | undefined;
  /** How long an ordinary call takes each way, in milliseconds; without an effect, anything else on its way. */
  latencyMs(effect?: string): number;
  /** How long a fault that delays something does so. */
  delayMs(fault: 'late' | 'duplicate' | 'slow' | 'pause'): number;
  /** How long a write takes to reach the indexes, at most 5 s. */
  indexLagMs(): number;
  /** When a function or state machine that was started now is killed, if it is not done by then. */
  killAfterMs(app: string): number | undefined;
  /** Whether the platform has no room for one more function at this moment. */
  isThrottled(now: number): boolean;
  /** Whether the platform hands something over twice: a message, a tick of the schedule, a step of an execution. */
  repeats(what: 'message' | 'tick' | 'step'): boolean;
};

/** A world in which nothing goes wrong but what `faultOf` says, and indexes are as stale as they ever are. */
export function noFaults(faultOf: FaultPlan['faultOf'] = () => undefined): FaultPlan {
  return {
    faultOf,
    latencyMs: () => 5,
    delayMs: (fault) => (fault === 'pause' ? 75_000 : 7_000),
    indexLagMs: () => 5_000,
    killAfterMs: () => undefined,
    isThrottled: () => false,
    repeats: () => false,
  };
}
