import { mkdir, readdir, rename } from 'node:fs/promises';
import path from 'node:path';

/**
 * Moves a new assembly over an old one. Assets are named by their content and those of the old one stay: a local
 * stage that is running still starts functions from them.
 */
export async function publishAssembly({ from, to }: { from: string; to: string }): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from);
  for (const name of names.sort(assetsFirst)) {
    await rename(path.join(from, name), path.join(to, name)).catch((error: NodeJS.ErrnoException) => {
      // The folder of the same asset is there already.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
}

/** A template must not name an asset that is not there yet. */
function assetsFirst(a: string, b: string): number {
  return Number(b.startsWith('asset.')) - Number(a.startsWith('asset.'));
}
