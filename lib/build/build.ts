import { buildFunctions } from './build-functions.ts';

for (const { name, sizeBytes } of await buildFunctions()) {
  console.log(`${name.padEnd(24)} ${Math.round(sizeBytes / 1000)} kB`);
}
