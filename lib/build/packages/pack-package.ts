import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { version } from '../../../core/version.ts';
import { buildDirectory, root } from '../paths.ts';

export const packagesDirectory = path.join(buildDirectory, 'packages');

/** A package to publish: its own fields of package.json. Its files are those of its folder. */
export type PackedPackage = { name: string; description: string; [field: string]: unknown };

export type Tarball = { name: string; file: string; packedBytes: number; unpackedBytes: number };

export async function packageFolder(name: string): Promise<string> {
  const folder = path.join(packagesDirectory, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'dist'), { recursive: true });
  return folder;
}

/** Adds package.json, README and license to the built files of a package, and packs it. */
export async function packPackage(folder: string, manifest: PackedPackage, readme: string): Promise<Tarball> {
  const engines = { node: '>=20.16' };
  const common = { version, license: 'MIT', type: 'module', engines, files: await readdir(folder) };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify({ ...common, ...manifest }, null, 2)}\n`);
  await copyFile(path.join(root, readme), path.join(folder, 'README.md'));
  await copyFile(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', packagesDirectory];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 64 * 1024 ** 2 });
  const packed = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  const [{ filename, size, unpackedSize } = emptyPack] = Object.values(packed);
  return {
    name: manifest.name,
    file: path.join(packagesDirectory, filename.replace('@', '').replace('/', '-')),
    packedBytes: size,
    unpackedBytes: unpackedSize,
  };
}

type Packed = { filename: string; size: number; unpackedSize: number };
const emptyPack: Packed = { filename: '', size: 0, unpackedSize: 0 };
