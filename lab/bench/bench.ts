import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark } from './harness/figures/figure.ts';
import { waitUntilIdle } from './harness/figures/machine-load.ts';
import { introduction, loadWarning, sentence } from './harness/figures/report.ts';
import { circumstances, recordRun } from './harness/figures/results.ts';
import { writePage } from './harness/figures/write-page.ts';
import { measureUsage } from './harness/process/processor-time.ts';
import { benchmarks } from './registry.ts';

const usage = `npm run bench [-- NAME... [--quick] [--record] [--json] [--input PATH] [--install]]

Without a name all run, and docs/benchmarks.json and docs/benchmarks.md are written. With names those run and only print,
unless --record is given. --quick measures less, so that a benchmark takes under four minutes, and only prints. --input
gives \`parallel\` your own video, of two minutes or more, or \`peers\` a directory of videos, and only prints. --install installs
what \`peers\` compares with, which it skips otherwise.
Names: ${benchmarks.map(({ name }) => name).join(', ')}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    input: { type: 'string' },
    install: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const isWhole = positionals.length === 0;
const chosen = isWhole ? benchmarks : benchmarks.filter(({ name }) => positionals.includes(name));
const { input } = values;
const isOwn = input !== undefined;
const extent = values.quick ? 'quick' : 'whole';
const isOnlyPrinted = isOwn || values.quick;
if (chosen.length < positionals.length || (isOwn && isWhole) || (isOnlyPrinted && values.record)) {
  console.error(usage);
  process.exit(2);
}

const print = (line: string) => console.error(line);
for (const benchmark of chosen) {
  print('Waiting until the processors are idle, for at most four minutes');
  const busyShare = await waitUntilIdle();
  try {
    await runOne(benchmark, busyShare);
  } catch (error) {
    // Keep the figures of the other benchmarks.
    console.error(`  ${benchmark.name} broke off:`, error);
    process.exitCode = 1;
  }
}

async function runOne(benchmark: Benchmark, busyShare: number): Promise<void> {
  print(introduction(benchmark));
  const warning = loadWarning(busyShare);
  if (warning !== undefined) print(warning);
  const begun = circumstances(new Date(), busyShare);
  const { result: figures, wall } = await measureUsage(() =>
    benchmark.run(print, { extent, installs: values.install, ...(isOwn && { input: resolve(input) }) }),
  );
  const seconds = Math.round(wall);
  print(`  ${benchmark.name} took ${seconds} s`);
  for (const figure of figures) {
    console.log(values.json ? JSON.stringify(figure) : sentence(figure));
    if (!figure.met) process.exitCode = 1;
  }
  if (isOnlyPrinted || (!isWhole && !values.record)) return;
  await recordRun(benchmark.name, { ...begun, seconds }, figures);
  await writePage(benchmarks);
}
