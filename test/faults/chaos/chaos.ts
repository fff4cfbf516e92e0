import { parseArgs } from 'node:util';
import { runChaos } from './run-chaos.ts';
import { runHostileOwner } from './run-hostile-owner.ts';

const usage = `Runs real jobs on the local stage while its functions, services and the stage itself are killed; exits 1 unless every job
ended and was reported by one event.

  npm run chaos -- [--jobs 200] [--seed 7] [--json]

With --hostile nothing is killed: one owner attacks the others by all rows of test/hostile/attacks.ts, while another's jobs
run. Their times on the idle stage and beside the attacks are printed. It exits 1 unless these jobs end as on the idle
stage, and the API answers the attacks only as it should.

  npm run chaos -- --hostile [--jobs 50] [--json]
`;

const { values } = parseArgs({
  options: {
    jobs: { type: 'string' },
    hostile: { type: 'boolean', default: false },
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
const report = (text: string) => {
  console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}`);
};

try {
  const { figures, problems } = values.hostile
    ? await runHostileOwner({ jobs: Number(values.jobs ?? 50), report })
    : await chaos();
  if (values.json) console.log(JSON.stringify(figures));
  process.exitCode = problems > 0 ? 1 : 0;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

async function chaos() {
  const figures = await runChaos({ jobs: Number(values.jobs ?? 200), seed: Number(values.seed), report });
  return { figures, problems: figures.withoutOneEvent + figures.unreadableFiles };
}
