import { parseArgs } from 'node:util';
import { runChaos } from './run-chaos.ts';

const usage = `Runs real jobs on the local stage while its functions, services and the stage itself are killed; exits 1 unless every job
ended and was reported by one event.

  npm run chaos -- [--jobs 200] [--seed 7] [--json]
`;

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '200' },
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
const say = (text: string) => {
  console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}`);
};

try {
  const figures = await runChaos({ jobs: Number(values.jobs), seed: Number(values.seed), say });
  if (values.json) console.log(JSON.stringify(figures));
  process.exitCode = figures.withoutOneEvent + figures.unreadableFiles > 0 ? 1 : 0;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
