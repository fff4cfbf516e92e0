import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Longer than a local stage runs between two code changes. */
const retentionMs = 24 * 3_600_000;

/**
 * Moves a new assembly over an old one. Assets are named by their content hash. Old assets are kept for a day, since a
 * running local stage still starts functions from them.
 */
export async function publishAssembly({ from, to, now }: { from: string; to: string; now: Date }): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from);
  for (const name of names.sort(assetsFirst)) {
    await rename(path.join(from, name), path.join(to, name)).catch((error: NodeJS.ErrnoException) => {
      // The folder of the same asset exists already.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await removeOldAssets({ directory: to, except: new Set(names), before: now.getTime() - retentionMs });
}

/** Assets first: a template must not reference a missing asset. */
function assetsFirst(a: string, b: string): number {
  return Number(isAsset(b)) - Number(isAsset(a));
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
