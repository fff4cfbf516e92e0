#!/usr/bin/env node
// Entry point of the installed package. Node runs the TypeScript of a checkout as it is. Below node_modules it refuses
// to strip types, so a load hook strips them.
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const minNodeVersion = 24;

function stripTypes() {
  // Node warns that stripping types is experimental.
  process.removeAllListeners('warning');
  module.registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
      const source = module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

if (Number.parseInt(process.versions.node, 10) < minNodeVersion) {
  console.error(`media-jobs requires Node ${minNodeVersion} or later; this is ${process.version}.`);
  process.exitCode = 2;
} else {
  // Halves the start time from the second start on.
  module.enableCompileCache();
  if (import.meta.url.includes('/node_modules/')) stripTypes();
  await import('./main.ts');
}
