import type { Clock } from '../../../core/jobs/ports.ts';

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
