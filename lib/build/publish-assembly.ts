import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Longer than anyone runs one local stage between two changes of the code. */
const keptMs = 24 * 3_600_000;

/**
 * Moves a new assembly over an old one. Assets are named by their content, and those of the last day stay: a local
 * stage that is running still starts functions from them.
 *
 * @param now when it is moved; assets of the old one that were made a day before are removed
 */
export async function publishAssembly({
  from,
  to,
  now,
}: {
  from: string;
  to: string;
  now: Date;
}): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from);
  for (const name of names.sort(assetsFirst)) {
    await rename(path.join(from, name), path.join(to, name)).catch((error: NodeJS.ErrnoException) => {
      // The folder of the same asset is there already.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  await removeOldAssets({ directory: to, except: new Set(names), before: now.getTime() - keptMs });
}

/** A template must not name an asset that is not there yet. */
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
