import type { Clause } from './clause.ts';
import type { Options } from './options.ts';
import { countOutcomes, formatSummary, resultFormatter, type Summary } from './report/format-results.ts';
import { startRun } from './run.ts';
import { type Result, runSuite } from './run-suite.ts';
import { timeouts } from './target.ts';

/**
 * Checks a stage against clauses and prints each result.
 *
 * @returns the exit code: 1 if a clause failed, else 0
 * @throws Error with a message for the user if there is nothing to check, or after an interruption
 */
export async function checkStage(all: readonly Clause[], { target, only, list, json }: Options): Promise<number> {
  const clauses = all.filter(({ id }) => id.startsWith(only));
  if (clauses.length === 0) throw new Error(`No clause has an id that starts with ${only}. See --list.`);
  if (list) {
    for (const { id, section, sentence } of clauses) console.log(`${id}\t${section}\t${sentence}`);
    return 0;
  }
  const print = (line: string) => (json ? console.error(line) : console.log(line));
  const { isTTY = false } = json ? process.stderr : process.stdout;
  const formatter = resultFormatter({ total: clauses.length, colour: isTTY });
  const startedAtMs = performance.now();
  const results: Result[] = [];
  const run = await startRun(target, timeouts);
  const interruption = interruptSignal();
  try {
    for await (const result of runSuite(clauses, run)) {
      results.push(result);
      for (const line of formatter.formatResult(result)) print(line);
      if (interruption.aborted) break;
    }
  } finally {
    await run.end();
  }
  const summary = countOutcomes(results, (performance.now() - startedAtMs) / 1000);
  print(`\n${formatSummary(summary)}`);
  if (json) console.log(JSON.stringify(toJson(target.baseUrl, results, summary), null, 2));
  if (results.length < clauses.length) throw new Error('Interrupted: the remaining clauses were not checked.');
  return summary.failed === 0 ? 0 : 1;
}

/** Aborts at Ctrl-C, so that changed settings can be restored first. A second Ctrl-C exits at once. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

function toJson(baseUrl: string, results: readonly Result[], summary: Summary): object {
  const resultsJson = results.map(({ clause: { id, section, sentence }, ...result }) => ({
    id,
    section,
    sentence,
    ...result,
  }));
  return { baseUrl, ...summary, results: resultsJson };
}
