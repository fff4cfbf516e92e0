import type { Clause } from './clause.ts';
import type { Options } from './options.ts';
import { countOutcomes, formatSummary, resultFormatter, type Summary } from './report/format-results.ts';
import { startRun } from './run.ts';
import { type Result, runSuite } from './run-suite.ts';
import { timeouts } from './target.ts';

/**
 * Holds a stage to these clauses, and tells of each as it goes.
 *
 * @returns the exit code: 1 where a sentence is broken, else 0
 * @throws Error with a sentence for whoever called, where there is nothing to do
 */
export async function checkStage(
  all: readonly Clause[],
  { target, only, list, json }: Options,
): Promise<number> {
  const clauses = all.filter(({ id }) => id.startsWith(only));
  if (clauses.length === 0) throw new Error(`No clause has an id that begins with ${only}: see --list.`);
  if (list) {
    for (const { id, section, sentence } of clauses) console.log(`${id}\t${section}\t${sentence}`);
    return 0;
  }
  const say = (line: string) => (json ? console.error(line) : console.log(line));
  const { isTTY = false } = json ? process.stderr : process.stdout;
  const told = resultFormatter({ total: clauses.length, colour: isTTY });
  const begun = performance.now();
  const results: Result[] = [];
  const run = await startRun(target, timeouts);
  const interruption = interrupted();
  try {
    for await (const result of runSuite(clauses, run)) {
      results.push(result);
      for (const line of told.ofResult(result)) say(line);
      if (interruption.aborted) break;
    }
  } finally {
    await run.end();
  }
  const summary = countOutcomes(results, (performance.now() - begun) / 1000);
  say(`\n${formatSummary(summary)}`);
  if (json) console.log(JSON.stringify(documentOf(target.baseUrl, results, summary), null, 2));
  if (results.length < clauses.length)
    throw new Error('Interrupted: the other sentences were not looked at.');
  return summary.broken === 0 ? 0 : 1;
}

/** Aborted by Ctrl-C, so that what was changed is put back first. A second Ctrl-C does not wait. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

function documentOf(baseUrl: string, results: readonly Result[], summary: Summary): object {
  const told = results.map(({ clause: { id, section, sentence }, ...result }) => ({
    id,
    section,
    sentence,
    ...result,
  }));
  return { baseUrl, ...summary, results: told };
}
