import { buildFunctions } from './build-functions.ts';

try {
  for (const { name, sizeBytes } of await buildFunctions()) {
    console.log(`${name.padEnd(24)} ${Math.round(sizeBytes / 1000)} kB`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
