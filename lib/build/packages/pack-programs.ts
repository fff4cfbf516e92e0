import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../paths.ts';
import { type PackedPackage, packageFolder, packPackage, type Tarball } from './pack-package.ts';

export function packCli(): Promise<Tarball> {
  return packProgram('cli', {
    name: 'media-jobs',
    description: 'Command line of a media jobs service: submits jobs, follows them and downloads their files.',
    bin: { 'media-jobs': './dist/media-jobs.js' },
  });
}

export function packMcp(): Promise<Tarball> {
  return packProgram('mcp', {
    name: '@media-jobs/mcp',
    description: 'Tools for agents: a media jobs service over the Model Context Protocol.',
    bin: { 'media-jobs-mcp': './dist/media-jobs-mcp.js' },
  });
}

async function packProgram(room: string, manifest: PackedPackage & { bin: Record<string, string> }): Promise<Tarball> {
  const folder = await packageFolder(room);
  const [program = ''] = Object.values(manifest.bin).map((file) => path.join(folder, file));
  await bundleProgram(path.join(root, `packages/${room}/src/main.ts`), program);
  return packPackage(folder, manifest, `packages/${room}/README.md`);
}

/** Bundles a program into one executable file. */
export async function bundleProgram(source: string, program: string): Promise<void> {
  await build({
    entryPoints: [source],
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
}

/** CommonJS dependencies require modules of Node. */
const requireOfModule = "import{createRequire as r}from'node:module';const require=r(import.meta.url);";
/** Functions that the program calls and Node 20 lacks. */
const ofNode22 = `URL.parse??=(...u)=>{try{return new URL(...u)}catch{return null}};
Map.groupBy??=(all,of)=>{const m=new Map();for(const a of all)m.set(of(a),[...(m.get(of(a))??[]),a]);return m};
`;
