import type { Clause, Need } from './clause.ts';
import { ClauseViolation } from './expectation.ts';
import { redactSecrets } from './report/redact-secrets.ts';
import type { SuiteRun } from './run.ts';
import type { Target } from './target.ts';

/** How it went with one clause. `reason` says what was found, or what was not given. */
export type Result = {
  clause: Clause;
  outcome: 'held' | 'broken' | 'skipped';
  reason?: string;
  seconds: number;
};

/** What a caller gives for each need, as the command line calls it. */
const howToMeet: Record<Need, string> = {
  receiver: 'needs --receive-at, where the stage can reach this machine',
  session: 'needs --session, a session token',
  dashboard: 'does not apply: --no-dashboard',
  'no-origin': 'does not apply: an --origin is configured',
};

const isMet: Record<Need, (target: Target) => boolean> = {
  receiver: ({ receiver }) => receiver !== undefined,
  session: ({ sessionToken }) => sessionToken !== undefined,
  dashboard: ({ hasDashboard }) => hasDashboard,
  'no-origin': ({ origin }) => origin === undefined,
};

/** Holds the service to one clause after another, also after one is broken. */
export async function* runSuite(clauses: readonly Clause[], run: SuiteRun): AsyncGenerator<Result> {
  for (const clause of clauses) {
    const unmet = clause.needs?.find((need) => !isMet[need](run.target));
    if (unmet) yield { clause, outcome: 'skipped', reason: howToMeet[unmet], seconds: 0 };
    else yield await hold(clause, run);
  }
}

async function hold(clause: Clause, run: SuiteRun): Promise<Result> {
  const begun = performance.now();
  const seconds = () => Math.round(performance.now() - begun) / 1000;
  try {
    await clause.check(run);
    return { clause, outcome: 'held', seconds: seconds() };
  } catch (error) {
    return { clause, outcome: 'broken', reason: redactSecrets(reasonOf(error)), seconds: seconds() };
  }
}

/** A fault of the suite itself is told with its kind, so that nobody takes it for the service's. */
function reasonOf(error: unknown): string {
  if (error instanceof ClauseViolation) return error.message;
  const { cause } = error as Error;
  return cause === undefined ? String(error) : `${String(error)}: ${String(cause)}`;
}
