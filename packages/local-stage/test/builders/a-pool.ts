import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import pLimit from 'p-limit';
import { type FunctionPool, functionPool } from '../../src/lambda/function-pool.ts';
import type { FunctionPlan } from '../../src/template/stage-plan.ts';
import { aFunction } from './a-function.ts';
import { endpoints } from './endpoints.ts';

/**
 * The pool of a function. Its sandboxes are stopped after the test.
 *
 * @param log receives their output
 * @param coldStarts the sandboxes that may start at once; by default any number
 */
export async function aPoolOf(
  source: string,
  changes?: Partial<FunctionPlan>,
  log: (line: string) => void = () => {},
  coldStarts = pLimit(Number.POSITIVE_INFINITY),
): Promise<FunctionPool> {
  const [plan, temporaryDirectory] = [await aFunction(source, changes), await aTemporaryFolder()];
  const pool = functionPool({ plan, endpoints, temporaryDirectory, coldStarts, log: (_, line) => log(line) });
  afterUse(() => pool.kill());
  return pool;
}

/** The parsed result of a function. Throws its error. */
export async function payloadOf(pool: FunctionPool, event: unknown = {}): Promise<unknown> {
  const result = await pool.invoke(event);
  if (!result.ok) throw new Error(`${result.error.errorType}: ${result.error.errorMessage}`);
  return JSON.parse(result.payload);
}
