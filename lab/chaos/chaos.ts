import { parseArgs } from 'node:util';
import { runMain } from '../../lib/build/run-main.ts';
import { readNumber } from '../read-number.ts';
import { timedReport } from '../simulation/timed-report.ts';
import { type ChaosOptions, runChaos } from './run-chaos.ts';
import { runHostileOwner } from './run-hostile-owner.ts';
import { runOutages } from './run-outages.ts';

const usage = `Runs real jobs on the local stage while its functions, services and the stage itself are killed; exits 1 unless every job
ended and was reported by one event.

  npm run chaos -- [--jobs 200] [--seed 7] [--json]

With --hostile nothing is killed: one owner attacks the others by all rows of test/hostile/attacks.ts, while another's jobs
run. Their times on the idle stage and beside the attacks are printed. It exits 1 unless these jobs end as on the idle
stage, and the API answers the attacks only as it should.

  npm run chaos -- --hostile [--jobs 50] [--json]

With --outages, one service after another fails for seconds and then for a minute. It exits 1 unless every accepted job
completes after at most one requeue, and its webhook is delivered.

  npm run chaos -- --outages [--jobs 120] [--seconds 60] [--seed 7] [--json]
`;

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      jobs: { type: 'string' },
      hostile: { type: 'boolean', default: false },
      outages: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: '7' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const usualJobs = values.hostile ? '50' : values.outages ? '120' : '200';
  const jobs = readNumber('--jobs', values.jobs ?? usualJobs, { isWhole: true });
  const seed = readNumber('--seed', values.seed, { isWhole: true });
  const report = timedReport();
  const { figures, problems } = values.hostile
    ? await runHostileOwner({ jobs, report })
    : values.outages
      ? await runOutages({ jobs, seed, report, seconds: readNumber('--seconds', values.seconds) })
      : await chaos({ jobs, seed, report });
  if (values.json) console.log(JSON.stringify(figures));
  process.exitCode = problems > 0 ? 1 : 0;
});

async function chaos(options: ChaosOptions) {
  const figures = await runChaos(options);
  return { figures, problems: figures.withoutOneEvent + figures.unreadableFiles };
}
