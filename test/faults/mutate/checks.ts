import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Edit } from './mutant.ts';

const run = promisify(execFile);

/** Tests of the tables and transitions, and of what the simulation sees only under rare combinations of faults. */
const suites = [
  'test/suites',
  'test/core/jobs',
  'test/functions/chunked/run-task-message.test.ts',
  'test/functions/deliver-webhook',
  'test/functions/reconcile',
  'test/functions/transcode/claim-job.test.ts',
  'test/functions/transcode/long-jobs.test.ts',
  'test/functions/transcode/unanswered-end.test.ts',
];

/** Tests that may fail for a mutant. */
export type Check = {
  /** Whether the check runs code that was edited. */
  covers(edits: readonly Edit[]): boolean;
  /**
   * Runs in a tree.
   *
   * @returns what failed, or that the check did not end in `timeoutMs`; null if nothing failed
   * @throws Error if it could not run
   */
  failure(directory: string, timeoutMs?: number): Promise<string | null>;
};

/** The checks, fastest first. The simulation does not use the adapters. */
export const checks: readonly Check[] = [
  { covers: isSimulated, failure: (...tree) => brokenInvariant('scenarios', ...tree) },
  { covers: () => true, failure: failingSuite },
  { covers: isSimulated, failure: (...tree) => brokenInvariant('faults', ...tree) },
];

function isSimulated(edits: readonly Edit[]): boolean {
  return edits.some(({ file }) => !file.startsWith('adapters/'));
}

async function brokenInvariant(
  search: 'scenarios' | 'faults',
  directory: string,
  timeout?: number,
): Promise<string | null> {
  const program = join(directory, 'test/faults/mutate/find-breach.ts');
  const stdout = await output([program, search], { cwd: directory, timeout });
  if (stdout === null) return `simulation: the ${search} did not end`;
  const { invariant } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
  return invariant === null ? null : `simulation: ${invariant}`;
}

async function failingSuite(directory: string, timeout?: number): Promise<string | null> {
  const vitest = join(directory, 'node_modules/vitest/vitest.mjs');
  const report = join(directory, 'suites.json');
  const command = [vitest, 'run', ...suites, '--reporter=json', `--outputFile=${report}`, '--bail=1'];
  await rm(report, { force: true });
  // vitest exits 1 if a test fails, and still writes its report.
  if ((await output(command, { cwd: directory, timeout, mayFail: true })) === null)
    return 'suite: it did not end';
  const { numFailedTests, numTotalTests } = JSON.parse(await readFile(report, 'utf8'));
  if (numTotalTests === 0) throw new Error(`vitest ran no suite in ${directory}`);
  return numFailedTests > 0 ? 'suite' : null;
}

/** The output of a Node program; null if it did not end in `timeout` ms. */
async function output(
  command: string[],
  { mayFail = false, ...options }: { cwd: string; timeout: number | undefined; mayFail?: boolean },
): Promise<string | null> {
  try {
    return (await run(process.execPath, command, options)).stdout;
  } catch (error) {
    const { killed, stdout } = error as { killed: boolean; stdout: string };
    if (killed) return null;
    if (mayFail) return stdout;
    throw error;
  }
}
