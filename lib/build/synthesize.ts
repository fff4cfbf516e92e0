import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { assemblyDirectory, root } from './paths.ts';
import { publishAssembly } from './publish-assembly.ts';
import { runScript } from './run-script.ts';
import { digest, sourceHash } from './source-hash.ts';
import { writeIfChanged } from './write-if-changed.ts';

export type Synthesis = {
  assemblyDirectory: string;
  /** True if the existing assembly is up to date. */
  cached: boolean;
};

/**
 * Writes the assembly of a stage to `cdk.out/<stage>`, unless the existing one was made from the same sources.
 *
 * @param settings replace those of cdk.json; the assembly then has a directory of its own
 * @throws Error with the message of the build or the CDK app, such as which setting is invalid
 */
export async function synthesize({ stage, settings }: { stage: string; settings?: object }): Promise<Synthesis> {
  const stages = settings && { [stage]: settings };
  const directory = assemblyDirectory(stages ? `${stage}-${digest(JSON.stringify(stages)).slice(0, 12)}` : stage);
  const hashFile = path.join(directory, 'sources.sha256');
  const [hash, present] = await Promise.all([sourceHash(root), readFile(hashFile, 'utf8').catch(() => undefined)]);
  if (hash === present) return { assemblyDirectory: directory, cached: true };

  // Imported on demand: esbuild and the contracts are not needed when nothing has changed.
  const { buildFunctions } = await import('./build-functions.ts');
  await buildFunctions();
  const fresh = `${directory}.${process.pid}`;
  try {
    await runCdkApp({ stage, outDirectory: fresh, stages });
    await publishAssembly({ from: fresh, to: directory, now: new Date() });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  await writeIfChanged(hashFile, Buffer.from(hash));
  return { assemblyDirectory: directory, cached: false };
}

/**
 * Runs the CDK app as the CDK command line does, without starting it: context of cdk.json, one stage, one folder.
 *
 * @param stages the settings of the stages, if they are not those of cdk.json
 */
export function runCdkApp({
  stage,
  outDirectory,
  stages = cdkJson.context.stages,
}: {
  stage: string;
  outDirectory: string;
  stages?: object;
}): Promise<void> {
  return runScript([path.join(root, 'lib/app.ts')], {
    CDK_OUTDIR: outDirectory,
    CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, stages, stage }),
    // The assembly is for any account and region, whatever the credentials of this machine.
    CDK_DEFAULT_ACCOUNT: '',
    CDK_DEFAULT_REGION: '',
  });
}
