import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildDashboard } from './build-dashboard.ts';
import { buildFunctions } from './build-functions.ts';
import { root } from './paths.ts';
import { runMain } from './run-main.ts';

const usage = `Builds the bundle of each function and the dashboard, and prints the sizes of the bundles.

  npm run build`;

await runMain(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return console.log(usage);
  for (const { name, sizeBytes } of await buildFunctions()) {
    console.log(`${name.padEnd(24)} ${Math.round(sizeBytes / 1000)} kB`);
  }
  console.log(`dashboard                ${path.relative(root, await buildDashboard())}`);
});
