import { parseArgs } from 'node:util';
import { introduction, loadWarning, sentence } from './harness/report.ts';
import { benchmarks } from './registry.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});

const chosen =
  positionals.length === 0 ? benchmarks : benchmarks.filter(({ name }) => positionals.includes(name));
if (chosen.length < positionals.length || chosen.length === 0) {
  console.error(
    `npm run bench -- [NAME...] [--json]; names: ${benchmarks.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const say = (line: string) => console.error(line);
for (const benchmark of chosen) {
  say(introduction(benchmark));
  const warning = loadWarning();
  if (warning !== undefined) say(warning);
  for (const figure of await benchmark.run(say)) {
    console.log(values.json ? JSON.stringify(figure) : sentence(figure));
    if (!figure.met) process.exitCode = 1;
  }
}
