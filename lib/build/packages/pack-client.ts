import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../paths.ts';
import { type ApiDocument, apiTypes } from './api-types.ts';
import { emitDeclarations } from './emit-declarations.ts';
import { packageFolder, packPackage, type Tarball } from './pack-package.ts';

/** Packs `@media-jobs/client`: one module for Node and browsers, and types that need no other package. */
export async function packClient(): Promise<Tarball> {
  const folder = await packageFolder('client');
  await build({
    entryPoints: [path.join(root, 'packages/client/src/index.ts')],
    outfile: path.join(folder, 'dist/index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: ['es2022', 'node20'],
    legalComments: 'none',
  });
  await writeTypes(path.join(folder, 'dist'));
  return packPackage(
    folder,
    {
      name: '@media-jobs/client',
      description: 'Client of a media jobs service: upload, submit, wait, download, verify webhooks.',
      sideEffects: false,
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    },
    'packages/client/README.md',
  );
}

/** Declarations of the sources; those of the contract come from the OpenAPI document. */
async function writeTypes(directory: string): Promise<void> {
  await emitDeclarations({ file: path.join(root, 'packages/client/src/index.ts'), directory });
  const document = JSON.parse(await readFile(path.join(root, 'docs/openapi.json'), 'utf8')) as ApiDocument;
  await writeFile(path.join(directory, 'operation.d.ts'), await apiTypes(document));
}
