import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export const assemblySources = [
  'core',
  'adapters',
  'functions',
  'lib',
  'layers',
  'packages/video/src',
  'cdk.json',
  'package.json',
  'package-lock.json',
];

/** Build output inside a source folder. */
const builtFiles = path.join('packages/dashboard/dist') + path.sep;

/** SHA-256 over the names and contents of sources (files or folders) under `root`, in hexadecimal. */
export async function sourceHash(root: string, sources: readonly string[] = assemblySources): Promise<string> {
  const listed = await Promise.all(sources.map((source) => filesUnder(root, source)));
  const files = listed.flat().sort();
  const digests = await Promise.all(
    files.map(async (file) => `${file} ${digest(await readFile(path.join(root, file)))}`),
  );
  return digest([process.version, ...digests].join('\n'));
}

async function filesUnder(root: string, source: string): Promise<string[]> {
  if (path.extname(source) !== '') return [source];
  const entries = await readdir(path.join(root, source), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(builtFiles));
}

export function digest(contents: string | Uint8Array): string {
  return createHash('sha256').update(contents).digest('hex');
}
