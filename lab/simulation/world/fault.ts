/**
 * The faults of one call of an app to a service.
 * - `crash-before`, `crash-after`: the function dies before the call, or after it without its answer.
 * - `fail`: an error without effect.
 * - `lost-answer`: an error with effect.
 * - `late`: an error; the effect comes seconds later.
 * - `duplicate`: the effect comes twice, seconds apart.
 * - `slow`: the effect and the answer come after seconds.
 * - `pause`: after the effect the function freezes for longer than a lease, then continues.
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

/** `outage`: the service is down. The call has no effect, and the client repeats it as an AWS client does. */
export type Fault = (typeof faults)[number] | 'outage';

/** A call that is about to be made. */
export type CallPoint = {
  /** The index of the call in the run, from 0. */
  index: number;
  app: string;
  /** Port and method, such as `jobs.write`. */
  effect: string;
  now: number;
  /**
   * Whether the invocation has made a call before and waits for no answer. Then a crash before this call has the same
   * effect as one after the last call.
   */
  goesOn: boolean;
};

/** Decides the faults of a run. */
export type FaultPlan = {
  faultOf(point: CallPoint): Fault | undefined;
  /** The one-way latency of a call in milliseconds; without `effect`, that of a message or a state transition. */
  latencyMs(effect?: string): number;
  /** The delay of a fault, in milliseconds. */
  delayMs(fault: 'late' | 'duplicate' | 'slow' | 'pause'): number;
  /** The delay before a write reaches the indexes, at most 5 s. */
  indexLagMs(): number;
  /** The milliseconds after which an invocation or execution that starts now is killed. */
  killAfterMs(app: string): number | undefined;
  /** How many times as long as usual a function needs to encode. */
  slownessOf(app: string): number;
  /** The milliseconds after which Spot capacity is taken back from a task of the pool that starts now. */
  spotMs(): number | undefined;
  /** Whether the platform throttles an invocation at this time. */
  isThrottled(now: number): boolean;
  /** Whether the platform delivers something twice: a message, a schedule tick, a step of an execution. */
  repeats(what: 'message' | 'tick' | 'step'): boolean;
};

/** No faults but those of `faultOf`, and the maximal staleness of the indexes. */
export function noFaults(faultOf: FaultPlan['faultOf'] = () => undefined): FaultPlan {
  return {
    faultOf,
    latencyMs: () => 5,
    delayMs: (fault) => (fault === 'pause' ? 75_000 : 7_000),
    indexLagMs: () => 5_000,
    killAfterMs: () => undefined,
    slownessOf: () => 1,
    spotMs: () => undefined,
    isThrottled: () => false,
    repeats: () => false,
  };
}
