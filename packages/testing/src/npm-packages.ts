import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

type Versions = Record<string, string>;

/**
 * A folder with npm packages in `node_modules`, made once in `.build/npm`, for programs that tests run and that nothing else
 * of this repository needs.
 *
 * @param overrides versions in place of those that the packages ask for
 */
export async function npmPackages(name: string, dependencies: Versions, overrides: Versions = {}): Promise<string> {
  const folder = resolve('.build/npm', name);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const manifest = { private: true, dependencies, overrides, allowScripts: { node: true, esbuild: true } };
  await writeFile(`${unfinished}/package.json`, JSON.stringify(manifest));
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  await promisify(execFile)('npm', args, { cwd: unfinished });
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  return folder;
}
