import { copyFile, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildDashboard } from '../build-dashboard.ts';
import { root } from '../paths.ts';
import { synthesize } from '../synthesize.ts';
import { packageFolder, packPackage, type Tarball } from './pack-package.ts';
import { packagedParts } from './packaged-parts.ts';

/** Packs `@media-jobs/stage`: the synthesized stage `local` with its dashboard, and what runs it on a laptop. */
export async function packStage(): Promise<Tarball> {
  const folder = await packageFolder('stage');
  const [{ assemblyDirectory }, dashboardDirectory] = [await synthesize({ stage: 'local' }), await buildDashboard()];
  await cp(assemblyDirectory, path.join(folder, 'assembly'), { recursive: true });
  await cp(dashboardDirectory, path.join(folder, 'dashboard'), { recursive: true });
  await cp(path.join(root, 'lib/edge/pages.js'), path.join(folder, 'lib/edge/pages.js'));
  // Compiled where it runs.
  await cp(path.join(root, 'layers/launcher'), path.join(folder, 'layers/launcher'), { recursive: true });
  const { metafile } = await build({
    entryPoints: ['start', 'demo'].map((name) => path.join(root, `lib/local/${name}.ts`)),
    outdir: path.join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    plugins: [packagedParts(packaged), externalPackages],
    metafile: true,
    legalComments: 'none',
  });
  const runtime = path.join(root, 'packages/local-stage/src/lambda/bootstrap.cjs');
  await copyFile(runtime, path.join(folder, 'dist/bootstrap.cjs'));
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return packPackage(
    folder,
    {
      name: '@media-jobs/stage',
      description: 'A media jobs service for this machine: run it with `npx media-jobs start`.',
      engines: { node: '>=24' },
      ...(await dependenciesOf(imports.flatMap(({ path: name, external }) => (external ? [name] : [])))),
    },
    'packages/local-stage/README.md',
  );
}

/** Takes the assembly and the dashboard from the package. In a checkout the build makes them. */
const packaged = {
  paths: `import path from 'node:path';
    export const root = path.join(import.meta.dirname, '..');
    export const buildDirectory = path.join(root, '.build');`,
  synthesize: `import path from 'node:path';
    const assemblyDirectory = path.join(import.meta.dirname, '../assembly');
    export const synthesize = async () => ({ assemblyDirectory });`,
  'build-dashboard': `import path from 'node:path';
    export const buildDashboard = async () => path.join(import.meta.dirname, '../dashboard');`,
};

/** Bundles the packages of this repository and installs all others. */
const externalPackages: Plugin = {
  name: 'external-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || name.startsWith('@media-jobs/') ? undefined : { path: name, external: true },
    );
  },
};

/** The dependencies, of the versions that this repository has tested. */
async function dependenciesOf(imported: readonly string[]) {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const manifestOf = async (folder: string) =>
    JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const { optionalDependencies } = await manifestOf('.');
  // Some are found by their name at run time, such as fonts.
  const { dependencies } = await manifestOf('packages/video');
  const versionsOf = (names: Iterable<string>) =>
    Object.fromEntries([...names].sort().flatMap((name) => versionOf(name, lock)));
  const names = imported.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  return {
    dependencies: versionsOf(new Set([...names, ...Object.keys(dependencies), 'node'])),
    optionalDependencies: versionsOf(Object.keys(optionalDependencies)),
  };
}

type Lock = { packages: Record<string, { version?: string }> };
type Manifest = Record<'dependencies' | 'optionalDependencies', Record<string, string>>;

/** Empty for a module of Node. */
function versionOf(name: string, { packages }: Lock): [string, string][] {
  const { version } = packages[`node_modules/${name}`] ?? {};
  return version === undefined ? [] : [[name, version]];
}
