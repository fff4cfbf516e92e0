import path from 'node:path';
import { buildDashboard } from './build-dashboard.ts';
import { buildFunctions } from './build-functions.ts';
import { root } from './paths.ts';

try {
  for (const { name, sizeBytes } of await buildFunctions()) {
    console.log(`${name.padEnd(24)} ${Math.round(sizeBytes / 1000)} kB`);
  }
  console.log(`dashboard                ${path.relative(root, await buildDashboard())}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
