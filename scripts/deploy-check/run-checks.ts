import { access } from './access.ts';
import type { Target } from './check.ts';
import { conformance } from './conformance.ts';
import { oneRealJob } from './one-real-job.ts';

/** Everything that is checked, the job last. */
export const checks = [...conformance, ...access, oneRealJob];

/** Runs every check, also after one has failed. Returns how many did. */
export async function runChecks(target: Target, say: (line: string) => void): Promise<number> {
  let failed = 0;
  for (const { name, run } of checks) {
    try {
      await run(target);
      say(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      say(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failed;
}
