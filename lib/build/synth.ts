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
  for (const warning of warningsOf(assemblyDirectory)) console.error(`Warning: ${warning}`);
  return json ? JSON.stringify({ stage, assemblyDirectory, cached }) : message;
}

/** What the stacks of an assembly warn of. The CDK command line prints it, too. */
function warningsOf(assemblyDirectory: string): unknown[] {
  const messages = new CloudAssembly(assemblyDirectory).stacks.flatMap((stack) => stack.messages);
  return messages.filter(({ level }) => level === 'warning').map(({ entry }) => entry.data);
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
