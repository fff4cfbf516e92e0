import path from 'node:path';
import { parseArgs } from 'node:util';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { root } from './paths.ts';
import { runMain } from './run-main.ts';
import { synthesize } from './synthesize.ts';

const usage = `Builds the functions and writes the CDK assembly of a stage of cdk.json to cdk.out/<stage>, unless nothing has changed.

  npm run synth -- [--stage dev] [--json]
`;

async function synth({ stage, json }: { stage: string; json: boolean }): Promise<string> {
  const startedAt = performance.now();
  const { assemblyDirectory, cached } = await synthesize({ stage });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const directory = path.relative(root, assemblyDirectory);
  const message = cached
    ? `Nothing changed: ${directory} is up to date (checked in ${seconds} s)`
    : `Built the functions and synthesized stage ${stage} into ${directory} in ${seconds} s`;
  // The CDK command line prints them, too.
  for (const { level, entry } of new CloudAssembly(assemblyDirectory).stacks.flatMap(({ messages }) => messages)) {
    if (level === 'warning') console.error(`Warning: ${entry.data}`);
  }
  return json ? JSON.stringify({ stage, assemblyDirectory, cached }) : message;
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string', default: 'dev' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  console.log(values.help ? usage : await synth(values));
});
