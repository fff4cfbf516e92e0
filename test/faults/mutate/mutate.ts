import { parseArgs } from 'node:util';
import { allMutants } from './all-mutants.ts';
import { copyTree } from './copy-tree.ts';
import { evaluateMutant, type Verdict } from './evaluate-mutant.ts';

const usage = `Removes each guard of the code in turn and prints which test failed. Exits 1 if none did.

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
/** A mutant runs for at most so many times the time of the tests without one. */
const maxSlowdown = 5;
const mutants = allMutants.filter(({ name }) => name.includes(wanted));
if (mutants.length === 0) {
  console.error(`No guard has "${wanted}" in its name`);
  process.exit(2);
}

const tree = await copyTree();
try {
  const startMs = performance.now();
  const whole = await evaluateMutant(tree.directory);
  const timeoutMs = Math.ceil(maxSlowdown * (performance.now() - startMs));
  if (isCaught(whole))
    throw new Error(`The tests fail without any mutation: ${whatCaught(whole)}. Fix them first.`);
  let missed = 0;
  for (const { name, edits } of mutants) {
    const verdict = await tree.edited(edits, () => evaluateMutant(tree.directory, { edits, timeoutMs }));
    if (!isCaught(verdict)) missed += 1;
    console.log(`${isCaught(verdict) ? 'caught' : 'MISSED'}  ${name.padEnd(62)} ${whatCaught(verdict)}`);
  }
  console.log(`${mutants.length - missed} of ${mutants.length} removed guards were noticed.`);
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await tree.remove();
}

function isCaught({ simulation, suite }: Verdict): boolean {
  return simulation !== null || suite;
}

function whatCaught({ simulation, suite }: Verdict): string {
  const caught = [...(simulation === null ? [] : [`simulation: ${simulation}`]), ...(suite ? ['suite'] : [])];
  return caught.join('; ') || 'nothing noticed';
}
