import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { runCdkApp, synthesize } from '../../../lib/build/synthesize.ts';

/** An assembly of the stage `local` with Fargate tasks, in a folder that the caller removes. */
export async function aFargateAssembly(): Promise<string> {
  // Builds the functions.
  await synthesize({ stage: 'local' });
  const outDirectory = await mkdtemp(join(tmpdir(), 'media-jobs-assembly-'));
  const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
  const stages = { local: { ...cdkJson.context.stages.local, fargate } };
  await runCdkApp({ stage: 'local', outDirectory, stages });
  return outDirectory;
}
