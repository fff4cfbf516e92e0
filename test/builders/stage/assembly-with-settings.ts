import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { runCdkApp, synthesize } from '../../../lib/build/synthesize.ts';

/** An assembly of the stage `local` with Fargate tasks. */
export function aFargateAssembly(settings: object = {}): Promise<string> {
  return anAssemblyWith({ fargate: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], ...settings } });
}

/** An assembly of the stage `local` with further settings. */
export async function anAssemblyWith(settings: object): Promise<string> {
  // Builds the functions.
  await synthesize({ stage: 'local' });
  const outDirectory = await aTemporaryFolder();
  const stages = { local: { ...cdkJson.context.stages.local, ...settings } };
  await runCdkApp({ stage: 'local', outDirectory, stages });
  return outDirectory;
}
