import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { runCdkApp, synthesize } from '../../../lib/build/synthesize.ts';

/** An assembly of the stage `local` with Fargate tasks. */
export async function aFargateAssembly(): Promise<string> {
  // Builds the functions.
  await synthesize({ stage: 'local' });
  const outDirectory = await aTemporaryFolder();
  const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
  const stages = { local: { ...cdkJson.context.stages.local, fargate } };
  await runCdkApp({ stage: 'local', outDirectory, stages });
  return outDirectory;
}
