import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { assemblyDirectory, root } from './paths.ts';
import { publishAssembly } from './publish-assembly.ts';
import { runApp } from './run-app.ts';
import { sourceHash } from './source-hash.ts';
import { writeIfChanged } from './write-if-changed.ts';

export type Synthesis = {
  assemblyDirectory: string;
  /** Whether nothing had changed since the assembly was written, so that nothing was done. */
  cached: boolean;
};

/**
 * Writes the assembly of a stage to `cdk.out/<stage>`, unless the one there was made of the same sources.
 *
 * @throws Error with what the build or the app said, such as which setting is wrong
 */
export async function synthesize({ stage }: { stage: string }): Promise<Synthesis> {
  const directory = assemblyDirectory(stage);
  const hashFile = path.join(directory, 'sources.sha256');
  const [hash, present] = await Promise.all([
    sourceHash(root),
    readFile(hashFile, 'utf8').catch(() => undefined),
  ]);
  if (hash === present) return { assemblyDirectory: directory, cached: true };

  // Imported only here: esbuild and the contracts have no part in a run that finds nothing to do.
  const { buildFunctions } = await import('./build-functions.ts');
  await buildFunctions();
  const fresh = `${directory}.${process.pid}`;
  try {
    await runApp({ stage, outDirectory: fresh });
    await publishAssembly({ from: fresh, to: directory, now: new Date() });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  await writeIfChanged(hashFile, Buffer.from(hash));
  return { assemblyDirectory: directory, cached: false };
}
