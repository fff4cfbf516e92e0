import { parseArgs } from 'node:util';
import { runLoad } from './run-load.ts';

const usage = `Submits small jobs of ten owners to the local stage at a fixed rate, while its functions are killed. Half of the owners poll, and
each tenth receiver rejects every webhook.

  npm run load -- [--rate 5] [--minutes 3] [--drain 60] [--seed 7] [--json]

  --rate JOBS      jobs a second
  --minutes N      how long jobs are submitted
  --drain MINUTES  how long to wait for the last job after that

Exits with 1 if a job is lost or duplicated, if its webhook comes later than the recovery of a killed function takes, or if
anything reaches another owner.
`;

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '3' },
    drain: { type: 'string', default: '60' },
    seed: { type: 'string', default: '7' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const began = Date.now();
const print = values.json ? console.error : console.log;
const report = (text: string) => print(`${((Date.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}`);

const run = await runLoad({
  rate: positive('rate', values.rate),
  minutes: positive('minutes', values.minutes),
  drainMinutes: positive('drain', values.drain),
  seed: positive('seed', values.seed),
  report,
});
console.log(values.json ? JSON.stringify(run) : describe(run));
process.exitCode = run.lost + run.duplicates + run.lateWebhooks + run.foreign > 0 ? 1 : 0;

function describe({ states, ...figures }: Awaited<ReturnType<typeof runLoad>>): string {
  const rows = Object.entries({ ...figures, ...states });
  return rows.map(([name, value]) => `${name.padEnd(16)} ${value}`).join('\n');
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  console.error(`--${name} is ${text}; expected a number above 0.`);
  process.exit(2);
}
