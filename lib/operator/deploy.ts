import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CodeBuildClient } from '@aws-sdk/client-codebuild';
import { runMain } from '../build/run-main.ts';
import { buildImage } from './deploy/build-image.ts';
import { splitBuild } from './deploy/split-build.ts';
import { runCdk } from './run-cdk.ts';

const usage = `Deploys a stage with "cdk deploy --all". All other options are those of the CDK, such as --require-approval.

  npm run deploy -- [-c stage=dev] [--build remote]

  --build remote  builds the image of the workers in CodeBuild: for a machine without Docker, or of another architecture
`;

/** Deploys the stack that builds the image, builds it, and returns the image. */
async function buildRemotely(options: readonly string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media-jobs-deploy-'));
  try {
    const file = path.join(folder, 'outputs.json');
    await runCdk('deploy', 'image', '-c', 'build=remote', '--outputs-file', file, ...options);
    const outputs: Record<string, Record<'ProjectName' | 'Region', string>> = JSON.parse(await readFile(file, 'utf8'));
    const [{ ProjectName: projectName, Region: region } = { ProjectName: '', Region: '' }] = Object.values(outputs);
    return await buildImage({
      client: new CodeBuildClient({ region }),
      projectName,
      sleep: setTimeout,
      log: console.log,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await runMain(async () => {
  const { build, options } = splitBuild(process.argv.slice(2));
  if (options.includes('--help')) return console.log(usage);
  const image = build === 'remote' ? await buildRemotely(options) : undefined;
  await runCdk('deploy', '--all', ...(image === undefined ? [] : ['-c', `image=${image}`]), ...options);
});
