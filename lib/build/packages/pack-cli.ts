import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../paths.ts';
import { packageFolder, packPackage, type Tarball } from './pack-package.ts';

/** Packs `media-jobs`, the command line, with all that it needs in one file. */
export async function packCli(): Promise<Tarball> {
  const folder = await packageFolder('cli');
  const program = path.join(folder, 'dist/media-jobs.js');
  await build({
    entryPoints: [path.join(root, 'packages/cli/src/main.ts')],
    outfile: program,
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    banner: { js: `#!/usr/bin/env node\n${requireOfModule}${ofNode22}` },
    legalComments: 'none',
  });
  await chmod(program, 0o755);
  return packPackage(
    folder,
    {
      name: 'media-jobs',
      description: 'Command line of a media jobs service: submits jobs, follows them and downloads their files.',
      bin: { 'media-jobs': './dist/media-jobs.js' },
      engines: { node: '>=20.16' },
    },
    'packages/cli/README.md',
  );
}

/** CommonJS dependencies require modules of Node. */
const requireOfModule = "import{createRequire as r}from'node:module';const require=r(import.meta.url);";
/** Functions that the program calls and Node 20 lacks. */
const ofNode22 = `URL.parse??=(...u)=>{try{return new URL(...u)}catch{return null}};
Map.groupBy??=(all,of)=>{const m=new Map();for(const a of all)m.set(of(a),[...(m.get(of(a))??[]),a]);return m};
`;
