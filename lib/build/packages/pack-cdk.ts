import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import * as z from 'zod';
import { settingsSchema } from '../../settings/settings.ts';
import { buildDashboard } from '../build-dashboard.ts';
import { buildFunctions } from '../build-functions.ts';
import { buildDirectory, root } from '../paths.ts';
import { emitDeclarations } from './emit-declarations.ts';
import { packageFolder, packPackage, type Tarball } from './pack-package.ts';
import { bundleProgram } from './pack-programs.ts';
import { packagedParts } from './packaged-parts.ts';

/** Packs `@media-jobs/cdk`: the construct, and all that it deploys. */
export async function packCdk(): Promise<Tarball> {
  const folder = await packageFolder('cdk');
  await buildFunctions();
  await cp(path.join(buildDirectory, 'functions'), path.join(folder, 'build/functions'), { recursive: true });
  await cp(path.join(buildDirectory, 'images'), path.join(folder, 'build/images'), { recursive: true });
  await cp(await buildDashboard(), path.join(folder, 'dashboard'), { recursive: true });
  for (const file of ['lib/edge/pages.js', 'lib/edge/play.js'])
    await cp(path.join(root, file), path.join(folder, file));
  await build({
    entryPoints: [path.join(root, 'lib/media-jobs.ts')],
    outfile: path.join(folder, 'dist/media-jobs.js'),
    bundle: true,
    // An app of `cdk init` is CommonJS; modules import it, too.
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: peers.flatMap((name) => [name, `${name}/*`]),
    plugins: [packagedParts(packaged)],
    legalComments: 'none',
  });
  for (const program of ['first-key', 'presets']) {
    await bundleProgram(path.join(root, `lib/operator/${program}.ts`), path.join(folder, `dist/${program}.mjs`));
  }
  await writeTypes(path.join(folder, 'dist'));
  const { devDependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  return packPackage(
    folder,
    {
      name: '@media-jobs/cdk',
      description: 'Construct of a media job service: MediaJobs, with its functions, its workers and its dashboard.',
      type: 'commonjs',
      exports: { '.': { types: './dist/media-jobs.d.ts', default: './dist/media-jobs.js' } },
      bin: { 'media-jobs-first-key': './dist/first-key.mjs', 'media-jobs-presets': './dist/presets.mjs' },
      peerDependencies: Object.fromEntries(peers.map((name) => [name, `^${devDependencies[name].replace('^', '')}`])),
    },
    'packages/cdk/README.md',
  );
}

const peers = ['aws-cdk-lib', 'constructs'];

/** Paths in the package. A preset folder is relative to the app, as all paths of one are. */
const packaged = {
  paths: `import path from 'node:path';
    export const root = path.join(__dirname, '..');
    export const buildDirectory = path.join(root, 'build');
    export const dashboardDirectory = path.join(root, 'dashboard');`,
  'presets-folder': `import path from 'node:path';
    export const presetsFolder = (setting) => setting && path.resolve(setting);`,
};

/** Declarations of the construct; those of its props come from the schema of the settings. */
async function writeTypes(directory: string): Promise<void> {
  const alone = { noResolve: true, noCheck: true, types: [] };
  await emitDeclarations({ file: path.join(root, 'lib/media-jobs.ts'), directory, options: alone });
  await writeFile(path.join(directory, 'media-jobs-props.d.ts'), await propsTypes());
}

async function propsTypes(): Promise<string> {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' }) as JSONSchema;
  const { identityProvider = {}, ...properties } = schema.properties ?? {};
  const props = {
    ...schema,
    properties: { ...properties, identityProvider: { anyOf: [{ const: 'cognito' }, identityProvider] } },
    required: [],
  };
  return compile(props, 'MediaJobsProps', {
    bannerComment: '',
    format: false,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
  });
}
