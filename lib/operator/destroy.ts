import { parseArgs } from 'node:util';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { runMain } from '../build/run-main.ts';
import { needsEdgeStack } from '../settings/edge.ts';
import { readSettings } from '../settings/read-settings.ts';
import { splitBuild } from './deploy/split-build.ts';
import { describeRemainder } from './destroy/remainder.ts';
import { readAccount, readCdkRegion } from './preflight/read-environment.ts';
import { runCdk } from './run-cdk.ts';

const usage = `Destroys a stage with "cdk destroy". Its table, its buckets and its key stay: the last line says what they cost and how to remove
them. docs/restoring.md says what to stop before.

  npm run destroy -- --stage dev [--build remote] [--force]

  --build remote  also destroys the stack that built the image in CodeBuild, with its images
  --force         asks no questions
`;

async function destroy(stage: string, isRemote: boolean, flags: readonly string[]): Promise<string> {
  const settings = readSettings(cdkJson.context.stages, stage);
  const region = settings.region ?? (await readCdkRegion());
  const account = settings.account ?? (await readAccount(region));
  if (account === undefined) throw new Error('AWS does not tell the account of the credentials');
  const stacks = ['service', ...(needsEdgeStack({ ...settings, region }) ? ['edge'] : [])];
  // One after the other: the service uses the certificate and the firewall of `edge`.
  for (const stack of stacks) await runCdk('destroy', stack, '--exclusively', '-c', `stage=${stage}`, ...flags);
  if (isRemote) await runCdk('destroy', 'image', '-c', 'build=remote', '-c', `stage=${stage}`, ...flags);
  const madeBuckets = settings.buckets.flatMap(({ bucket, create }) => (create ? [bucket] : []));
  return describeRemainder({ stage, account, region, madeBuckets, table: settings.recovery.table });
}

await runMain(async () => {
  const { build, options } = splitBuild(process.argv.slice(2));
  const { values } = parseArgs({
    args: options,
    options: {
      stage: { type: 'string', default: 'dev' },
      force: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  console.log(values.help ? usage : await destroy(values.stage, build === 'remote', values.force ? ['--force'] : []));
});
