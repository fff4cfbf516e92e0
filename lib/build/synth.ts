import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './places.ts';
import { synthesize } from './synthesize.ts';

const { values } = parseArgs({
  options: {
    stage: { type: 'string', default: 'dev' },
    json: { type: 'boolean', default: false },
  },
});

const startedAt = performance.now();
try {
  const { assemblyDirectory, cached } = await synthesize(values);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const place = path.relative(root, assemblyDirectory);
  const sentence = cached
    ? `Nothing changed: ${place} is up to date (checked in ${seconds} s)`
    : `Built the functions and synthesized stage ${values.stage} into ${place} in ${seconds} s`;
  console.log(values.json ? JSON.stringify({ stage: values.stage, assemblyDirectory, cached }) : sentence);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
