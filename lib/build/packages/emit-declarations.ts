import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../paths.ts';

/**
 * Writes the declarations of a module beside its packed code.
 *
 * @param options of the compiler, such as `noResolve` for this module without those that it imports
 */
export async function emitDeclarations({ file, directory, options }: Emission): Promise<void> {
  const project = path.join(directory, 'tsconfig.json');
  const output = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: '.',
    rootDir: path.dirname(file),
  };
  const compilerOptions = { ...output, ...options };
  const config = { extends: path.join(root, 'tsconfig.json'), compilerOptions, files: [file], include: [] };
  await writeFile(project, JSON.stringify(config));
  await promisify(execFile)(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', project]);
  await rm(project);
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.d.ts')) continue;
    const declarations = path.join(directory, name);
    const text = await readFile(declarations, 'utf8');
    await writeFile(declarations, text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
}

type Emission = { file: string; directory: string; options?: Readonly<Record<string, unknown>> };
