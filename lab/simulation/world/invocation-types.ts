import type { Clock } from '../../../core/jobs/ports.ts';

/** The end of an invocation, as its caller sees it. */
export type Outcome<T> = { value: T } | { error: unknown } | 'dead';

type CallOptions<T> = {
  /** The job of the call, if it is not that of the invocation. */
  jobId?: string;
  /** The answer if the call fails; by default an error of the service. */
  instead?: () => Promise<T>;
  /** The call is never duplicated: it uses one connection, without a client that retries. */
  once?: boolean;
};

/** Calls a service: `effect` names the call, `perform` runs when it arrives. */
export type Call = <T>(effect: string, perform: () => Promise<T>, options?: CallOptions<T>) => Promise<T>;

/** One invocation of a function, until it ends or dies. */
export type Invocation = {
  app: string;
  id: number;
  /** The job of its event; after a claim the claimed one. */
  readonly jobId: string | undefined;
  /** Undefined once it has ended that job, and may claim another. */
  claimed(jobId: string | undefined): void;
  call: Call;
  clock: Clock;
};
