import { parseArgs } from 'node:util';
import { runMain } from '../../lib/build/run-main.ts';
import { readNumber } from '../read-number.ts';
import { timedReport } from '../simulation/timed-report.ts';
import { runLoad } from './run-load.ts';

const usage = `Submits small jobs of ten owners to the local stage at a fixed rate, while its functions are killed. Half of the owners poll, and
each tenth receiver rejects every webhook.

  npm run load -- [--rate 5] [--minutes 3] [--drain 60] [--seed 7] [--json]

  --rate JOBS      jobs a second
  --minutes N      how long jobs are submitted
  --drain MINUTES  how long to wait for the last job after that

Exits with 1 if a job is lost, not completed or duplicated, if its webhook comes later than the recovery of a killed function takes, or if
anything reaches another owner.
`;

await runMain(async () => {
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
  if (values.help) return console.log(usage);
  const run = await runLoad({
    rate: readNumber('--rate', values.rate),
    minutes: readNumber('--minutes', values.minutes),
    drainMinutes: readNumber('--drain', values.drain),
    seed: readNumber('--seed', values.seed, { isWhole: true }),
    report: timedReport(values.json ? console.error : console.log),
  });
  console.log(values.json ? JSON.stringify(run) : describe(run));
  process.exitCode = run.lost + run.notCompleted + run.duplicates + run.lateWebhooks + run.foreign > 0 ? 1 : 0;
});

function describe({ states, ...figures }: Awaited<ReturnType<typeof runLoad>>): string {
  const rows = Object.entries({ ...figures, ...states });
  return rows.map(([name, value]) => `${name.padEnd(16)} ${value}`).join('\n');
}
