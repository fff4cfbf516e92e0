import { execFile } from 'node:child_process';
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
  'test/functions/join-chunks/side-effects.test.ts',
  'test/functions/reconcile',
  'test/functions/transcode/claim-job.test.ts',
  'test/functions/transcode/long-jobs.test.ts',
  'test/functions/transcode/unanswered-end.test.ts',
];

/** Tests that may fail for a mutant. */
export type Check = {
  /** Whether the check runs code that was edited. */
  covers(edits: readonly Edit[]): boolean;
  /** Runs in a tree. Returns what failed, or that the check did not end in `timeoutMs`; null if nothing failed. */
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
  const end = await endOf([program, search], { cwd: directory, timeout });
  if (end.failure !== null) return `simulation: the ${search} ${end.failure}`;
  const { invariant } = JSON.parse(end.stdout.trimEnd().split('\n').at(-1) ?? '');
  return invariant === null ? null : `simulation: ${invariant}`;
}

/** vitest ends with an error if a test fails, or it finds none. */
async function failingSuite(directory: string, timeout?: number): Promise<string | null> {
  const vitest = join(directory, 'node_modules/vitest/vitest.mjs');
  const { failure } = await endOf([vitest, 'run', ...suites, '--bail=1'], { cwd: directory, timeout });
  return failure === null ? null : 'suite';
}

/** The output of a Node program, and how it failed: it did not end in `timeout` ms, or ended with an error. */
async function endOf(
  command: string[],
  options: { cwd: string; timeout: number | undefined },
): Promise<{ stdout: string; failure: 'did not end' | 'ended with an error' | null }> {
  try {
    const { stdout } = await run(process.execPath, command, options);
    return { stdout, failure: null };
  } catch (error) {
    const { killed, stdout } = error as { killed: boolean; stdout: string };
    return { stdout, failure: killed ? 'did not end' : 'ended with an error' };
  }
}
