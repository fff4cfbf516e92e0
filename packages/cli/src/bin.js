#!/usr/bin/env node
// Entry point in a checkout, whose TypeScript Node runs as it is. The published package has a bundle: `npm run pack`.
import module from 'node:module';

const minNodeVersion = 24;

if (Number.parseInt(process.versions.node, 10) < minNodeVersion) {
  console.error(
    `media-jobs requires Node ${minNodeVersion} or later; this is ${process.version}. Run it by "npx media-jobs".`,
  );
  process.exitCode = 2;
} else {
  // Halves the start time from the second start on.
  module.enableCompileCache();
  await import('./main.ts');
}
