import type { Clause, Need, SuiteRun } from './clause.ts';
import { ClauseViolation } from './expectation.ts';
import type { Target } from './target.ts';

/** The result of a clause. `reason`: what was found, if anything, or why the clause was skipped. */
export type Result = {
  clause: Clause;
  outcome: 'passed' | 'failed' | 'skipped';
  reason?: string | undefined;
  seconds: number;
};

/** Reason for skipping a clause, by unmet need. */
const skipReasons: Record<Need, string> = {
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

/** Checks one clause after another. A failed clause does not end the run. */
export async function* runSuite(clauses: readonly Clause[], run: SuiteRun): AsyncGenerator<Result> {
  for (const clause of clauses) {
    const unmet = clause.needs?.find((need) => !isMet[need](run.target));
    if (unmet) yield { clause, outcome: 'skipped', reason: skipReasons[unmet], seconds: 0 };
    else yield await checkClause(clause, run);
  }
}

async function checkClause(clause: Clause, run: SuiteRun): Promise<Result> {
  const begun = performance.now();
  const seconds = () => Math.round(performance.now() - begun) / 1000;
  try {
    const reason = (await clause.check(run)) ?? undefined;
    return { clause, outcome: 'passed', reason, seconds: seconds() };
  } catch (error) {
    return { clause, outcome: 'failed', reason: redactSecrets(failureReason(error)), seconds: seconds() };
  }
}

/** Other errors keep their class name, so that a bug of the suite is not mistaken for one of the service. */
function failureReason(error: unknown): string {
  if (error instanceof ClauseViolation) return error.message;
  const { cause } = error as Error;
  return cause === undefined ? String(error) : `${String(error)}: ${String(cause)}`;
}

const secrets: [RegExp, string][] = [
  [/nte_[0-9A-Za-z]{6,}/g, 'nte_…'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '(a token)'],
  [/(X-Amz-(?:Signature|Credential|Security-Token)=)[^&"\s]+/gi, '$1…'],
];

/** Removes keys, tokens and signatures from text that may quote a response. */
export function redactSecrets(text: string): string {
  return secrets.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
}
