import type { Call } from './http/call.ts';
import type { Inbox, Reply } from './receiver.ts';
import type { Target, Timeouts } from './target.ts';

/** Optional input of the suite that some clauses require. */
export type Need = 'receiver' | 'session' | 'dashboard' | 'no-origin';

/** A sentence of the specification and its test. */
export type Clause = {
  /** Identifies the clause on the command line and in the output. */
  id: string;
  /** The section of the specification. */
  section: string;
  /** The exact text of the specification. Table rows keep their bars. */
  sentence: string;
  needs?: readonly Need[];
  /**
   * @returns what was found, if a reader wants to know it of a service that conforms
   * @throws ClauseViolation with what was found, if the service violates the sentence
   */
  check: (run: SuiteRun) => Promise<void> | Promise<string>;
};

export function section(name: string, clauses: Omit<Clause, 'section'>[]): Clause[] {
  return clauses.map((clause) => ({ ...clause, section: name }));
}

/** A section whose clauses all need the receiver of webhooks. */
export function webhookSection(name: string, clauses: Omit<Clause, 'section'>[]): Clause[] {
  return section(name, clauses).map((clause) => ({ ...clause, needs: ['receiver'] }));
}

/** Kinds of sample jobs by their outcome. `multi-output` completes with several outputs. */
export type SampleJobKind = 'completed' | 'multi-output' | 'failed' | 'rejected' | 'cancelled';

/** A terminal job, and the inbox of its webhook if the suite has a receiver. */
export type SampleJob = { jobId: string; inbox: Inbox | undefined; endedAtMs: number };

export type SuiteRun = {
  target: Target;
  timeouts: Timeouts;
  api: Call;
  anonymous: Call;
  session: Call;
  withKey: (key: string) => Call;
  /** Creates a webhook URL that the stage can reach. */
  inbox: (replies?: readonly Reply[]) => Inbox;
  /** Memoizes work that several clauses share, by name. */
  once: <T>(name: string, make: () => Promise<T>) => Promise<T>;
  /** A terminal job of this kind, created on first use. */
  sampleJob: (kind: SampleJobKind) => Promise<SampleJob>;
  /** Jobs to delete at the end of the run. */
  jobIds: string[];
};
