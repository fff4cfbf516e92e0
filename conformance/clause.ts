import type { SuiteRun } from './run.ts';

/** What a caller may leave out, and without which some sentences cannot be held to the service. */
export type Need = 'receiver' | 'session' | 'dashboard' | 'no-origin';

/** One sentence of the specification, and the test that holds the service to it. */
export type Clause = {
  /** Names it on the command line and in the output. */
  id: string;
  /** The section of the specification. */
  section: string;
  /** As it stands in the specification; a row of a table has its bars. */
  sentence: string;
  needs?: readonly Need[];
  /** Throws where the service breaks the sentence; the message says what was found. */
  check: (run: SuiteRun) => Promise<void>;
};

/** The clauses of one section. */
export function section(name: string, clauses: Omit<Clause, 'section'>[]): Clause[] {
  return clauses.map((clause) => ({ ...clause, section: name }));
}
