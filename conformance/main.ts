import { type Options, readOptions } from './options.ts';
import { lines, ofSummary, type Summary, summaryOf } from './report/lines.ts';
import { beginRun } from './run.ts';
import { type Result, runSuite } from './run-suite.ts';
import { suite } from './suite.ts';
import { patience } from './target.ts';

async function main({ target, only, list, json }: Options): Promise<number> {
  const clauses = suite.filter(({ id }) => id.startsWith(only));
  if (clauses.length === 0) throw new Error(`No clause has an id that begins with ${only}: see --list.`);
  if (list) {
    for (const { id, section, sentence } of clauses) console.log(`${id}\t${section}\t${sentence}`);
    return 0;
  }
  const say = (line: string) => (json ? console.error(line) : console.log(line));
  const { isTTY = false } = json ? process.stderr : process.stdout;
  const told = lines({ total: clauses.length, colour: isTTY });
  const begun = performance.now();
  const results: Result[] = [];
  const run = await beginRun(target, patience);
  try {
    for await (const result of runSuite(clauses, run)) {
      results.push(result);
      for (const line of told.ofResult(result)) say(line);
    }
  } finally {
    await run.end();
  }
  const summary = summaryOf(results, (performance.now() - begun) / 1000);
  say(`\n${ofSummary(summary)}`);
  if (json) console.log(JSON.stringify(documentOf(target.baseUrl, results, summary), null, 2));
  return summary.broken === 0 ? 0 : 1;
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

try {
  process.exitCode = await main(readOptions(process.argv.slice(2), process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
