import type { SuiteRun } from './suite-run.ts';

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

/** Adds the section to clauses. */
export function section(name: string, clauses: Omit<Clause, 'section'>[]): Clause[] {
  return clauses.map((clause) => ({ ...clause, section: name }));
}
