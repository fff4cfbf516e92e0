import type { Clause, SuiteRun } from './clause.ts';
import { expect } from './expectation.ts';
import { createCall } from './http/call.ts';
import { deleteJob, sampleJobs } from './jobs/jobs.ts';
import type { Options } from './options.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { countOutcomes, formatSummary, resultFormatter, type Summary } from './report/format-results.ts';
import { type Result, runSuite } from './run-suite.ts';
import { type Target, type Timeouts, timeouts } from './target.ts';

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

/** Starts a run. Call `end` when it is over: it deletes the jobs and closes the receiver. */
export async function startRun(target: Target, timeouts: Timeouts): Promise<SuiteRun & { end(): Promise<void> }> {
  const receiver = target.receiver && (await startReceiver(target.receiver));
  const { baseUrl } = target;
  const callWith = (headers: Record<string, string>) =>
    createCall({ baseUrl, headers, timeoutMs: timeouts.responseMs });
  const withKey = (key: string) => callWith({ authorization: `Bearer ${key}` });
  const once = memoize();
  const run: SuiteRun = {
    target,
    timeouts,
    api: withKey(target.apiKey),
    anonymous: callWith({}),
    session: callWith({ authorization: `Bearer ${target.sessionToken}` }),
    withKey,
    inbox: (replies) => requireReceiver(receiver).inbox(replies),
    once,
    sampleJob: (kind) => once(kind, () => sampleJobs[kind](run)),
    jobIds: [],
  };
  return {
    ...run,
    end: async () => {
      // A clause has reported a failed deletion already, or it does not matter.
      for (const jobId of run.jobIds) await deleteJob(run.api, jobId).catch(() => undefined);
      await receiver?.close();
    },
  };
}

function memoize(): SuiteRun['once'] {
  const results = new Map<string, Promise<unknown>>();
  return <T>(name: string, make: () => Promise<T>) => {
    const result = (results.get(name) as Promise<T> | undefined) ?? make();
    results.set(name, result);
    return result;
  };
}

function requireReceiver(receiver: Receiver | undefined): Receiver {
  expect(receiver !== undefined, 'the suite has no webhook receiver: the clause lacks needs: ["receiver"]');
  return receiver;
}
