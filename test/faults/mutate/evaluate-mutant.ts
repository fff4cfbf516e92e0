import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Edit } from './mutant.ts';

const run = promisify(execFile);

export type Verdict = {
  /** The invariant that the simulation found broken, if any. */
  simulation: string | null;
  /** Whether one of the suites failed. */
  suite: boolean;
};

/** The suites of the tables, and what the simulation sees only under rare combinations of faults. */
const suites = [
  'test/suites',
  'test/functions/chunked/run-task-message.test.ts',
  'test/functions/deliver-webhook/app.test.ts',
];

type Options = {
  /** None of the tree as it is. */
  edits?: readonly Edit[];
  /** For each program: a mutant may run forever. */
  timeoutMs?: number;
};

/**
 * Runs the suites in a tree, and the simulation unless only adapters changed: it does not use them.
 *
 * @throws Error if one of them could not run, or did not end in time
 */
export async function evaluateMutant(
  directory: string,
  { edits = [], timeoutMs }: Options = {},
): Promise<Verdict> {
  const isSimulated = edits.length === 0 || edits.some(({ file }) => !file.startsWith('adapters/'));
  const [simulation, suite] = await Promise.all([
    isSimulated ? brokenInvariant(directory, timeoutMs) : null,
    suiteFails(directory, timeoutMs),
  ]);
  return { simulation, suite };
}

async function brokenInvariant(directory: string, timeout?: number): Promise<string | null> {
  const program = join(directory, 'test/faults/mutate/find-breach.ts');
  const { stdout } = await run(process.execPath, [program], { cwd: directory, timeout });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').invariant;
}

async function suiteFails(directory: string, timeout?: number): Promise<boolean> {
  const vitest = join(directory, 'node_modules/vitest/vitest.mjs');
  const report = join(directory, 'suites.json');
  const command = [vitest, 'run', ...suites, '--reporter=json', `--outputFile=${report}`, '--bail=1'];
  await rm(report, { force: true });
  // vitest exits 1 if a test fails, and still writes its report.
  await run(process.execPath, command, { cwd: directory, timeout }).catch(() => undefined);
  const { numFailedTests, numTotalTests } = JSON.parse(await readFile(report, 'utf8'));
  if (numTotalTests === 0) throw new Error(`vitest ran no suite in ${directory}`);
  return numFailedTests > 0;
}
