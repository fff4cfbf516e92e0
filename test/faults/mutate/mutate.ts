import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { allMutants } from './all-mutants.ts';
import { checks } from './checks.ts';
import { copyTree, type Tree } from './copy-tree.ts';
import type { Edit } from './mutant.ts';

const usage = `Removes each guard of the code in turn and prints which test failed first. Exits 1 if none did.

  npm run mutate [-- PART OF A NAME]

A name as in the output; without one all ${allMutants.length} guards are removed.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const wanted = positionals.join(' ');
/** A check may take so many times as long with a mutant, which may run forever. */
const maxSlowdown = 10;
const mutants = allMutants.filter(({ name }) => name.includes(wanted));
if (mutants.length === 0) {
  console.error(`No guard has "${wanted}" in its name`);
  process.exit(2);
}

const remaining = mutants.values();
const first = await copyTree();
const trees = [first, ...(await Promise.all(Array.from({ length: availableParallelism() - 1 }, copyTree)))];
try {
  console.error('Running the tests without any mutation, which takes minutes');
  const limits = await timeLimits(first.directory);
  let missed = 0;
  const evaluateRemaining = async (tree: Tree) => {
    for (const { name, edits } of remaining) {
      const failure = await tree.edited(edits, () => firstFailure(tree.directory, edits, limits));
      if (failure === null) missed += 1;
      console.log(
        `${failure === null ? 'MISSED' : 'caught'}  ${name.padEnd(62)} ${failure ?? 'nothing failed'}`,
      );
    }
  };
  // All end before their trees are removed, whatever one throws.
  const ends = await Promise.allSettled(trees.map(evaluateRemaining));
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, 'Some guards were not removed');
  console.log(`${mutants.length - missed} of ${mutants.length} removed guards were noticed.`);
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await Promise.all(trees.map((tree) => tree.remove()));
}

/**
 * Runs each check without any mutation, and returns the milliseconds that it may take with one.
 *
 * @throws Error if a check fails
 */
async function timeLimits(directory: string): Promise<number[]> {
  const limits = [];
  for (const { failure } of checks) {
    const startMs = performance.now();
    const failed = await failure(directory);
    if (failed !== null) throw new Error(`The tests fail without any mutation: ${failed}. Fix them first.`);
    limits.push(Math.ceil(maxSlowdown * (performance.now() - startMs)));
  }
  return limits;
}

async function firstFailure(
  directory: string,
  edits: readonly Edit[],
  limits: readonly number[],
): Promise<string | null> {
  for (const [index, { covers, failure }] of checks.entries()) {
    const failed = covers(edits) ? await failure(directory, limits[index]) : null;
    if (failed !== null) return failed;
  }
  return null;
}
