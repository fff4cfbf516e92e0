import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { assemblyDirectory, root } from './paths.ts';
import { presetsFolder } from './presets-folder.ts';
import { runScript } from './run-script.ts';
import { assemblySources, digest, sourceHash } from './source-hash.ts';
import { writeIfChanged } from './write-if-changed.ts';

export type Synthesis = {
  assemblyDirectory: string;
  /** True if the existing assembly is up to date. */
  cached: boolean;
};

/** Settings as cdk.json has them, before they are read. */
type StageValues = { presets?: string };

function settingsOf(stage: string): StageValues {
  const stages: Record<string, object> = cdkJson.context.stages;
  return Object.hasOwn(stages, stage) ? (stages[stage] ?? {}) : {};
}

/**
 * Writes the assembly of a stage to `cdk.out/<stage>`, unless the existing one was made from the same sources.
 *
 * @param settings replace those of cdk.json; the assembly then has a directory of its own
 * @throws Error with the message of the build or the CDK app, such as which setting is invalid
 */
export async function synthesize({ stage, settings }: { stage: string; settings?: StageValues }): Promise<Synthesis> {
  const stages = settings && { [stage]: settings };
  const directory = assemblyDirectory(stages ? `${stage}-${digest(JSON.stringify(stages)).slice(0, 12)}` : stage);
  const hashFile = path.join(directory, 'sources.sha256');
  const presets = presetsFolder((settings ?? settingsOf(stage)).presets);
  const sources = [...assemblySources, ...(presets === undefined ? [] : [path.relative(root, presets)])];
  const [hash, present] = await Promise.all([
    sourceHash(root, sources),
    readFile(hashFile, 'utf8').catch(() => undefined),
  ]);
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
 * @param context of the CDK, besides that of cdk.json
 */
export function runCdkApp({
  stage,
  outDirectory,
  stages = cdkJson.context.stages,
  context = {},
}: {
  stage: string;
  outDirectory: string;
  stages?: object;
  context?: object;
}): Promise<void> {
  return runScript([path.join(root, 'lib/app.ts')], {
    CDK_OUTDIR: outDirectory,
    CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, ...context, stages, stage }),
    // The assembly is for any account and region, whatever the credentials of this machine.
    CDK_DEFAULT_ACCOUNT: '',
    CDK_DEFAULT_REGION: '',
  });
}

/** Longer than a local stage runs between two code changes. */
const retentionMs = 24 * 3_600_000;

/**
 * Moves a new assembly over an old one. Assets are named by their content hash. Old assets are kept for a day, since a
 * running local stage still starts functions from them.
 */
export async function publishAssembly({ from, to, now }: { from: string; to: string; now: Date }): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from);
  // Assets first: a template must not reference a missing asset.
  for (const name of names.sort((a, b) => Number(isAsset(b)) - Number(isAsset(a)))) {
    await rename(path.join(from, name), path.join(to, name)).catch((error: NodeJS.ErrnoException) => {
      // The folder of the same asset exists already.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await removeOldAssets({ directory: to, except: new Set(names), before: now.getTime() - retentionMs });
}

function isAsset(name: string): boolean {
  return name.startsWith('asset.');
}

async function removeOldAssets({ directory, except, before }: OldAssets): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!isAsset(name) || except.has(name)) continue;
    const asset = path.join(directory, name);
    if ((await stat(asset)).mtimeMs < before) await rm(asset, { recursive: true, force: true });
  }
}

type OldAssets = { directory: string; except: ReadonlySet<string>; before: number };
