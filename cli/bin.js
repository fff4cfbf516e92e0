#!/usr/bin/env node
// The program of an installed package. A checkout's TypeScript runs on Node as it is; below node_modules, where Node
// declines to, its own stripping of types is asked for.
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const leastNode = 24;

function stripTypes() {
  // Of the stripping of types, which Node still calls experimental.
  process.removeAllListeners('warning');
  module.registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
      const source = module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

if (Number.parseInt(process.versions.node, 10) < leastNode) {
  console.error(`media-jobs needs Node ${leastNode} or later, and this is ${process.version}.`);
  process.exitCode = 2;
} else {
  // Halves the time to start, from the second start on.
  module.enableCompileCache();
  if (import.meta.url.includes('/node_modules/')) stripTypes();
  await import('./main.ts');
}
