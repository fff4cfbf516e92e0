import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build, formatMessages, type Plugin } from 'esbuild';
import type { FunctionEntry } from './entries.ts';
import { removeOthers, writeIfChanged } from './write-if-changed.ts';

export type Bundle = { name: string; file: string; sizeBytes: number };

/**
 * Bundles every function into `<outDirectory>/<name>/index.js` and removes the bundles of removed functions. The build
 * is reproducible: the same sources give the same bytes.
 *
 * @throws Error with file and line of each error and each warning
 */
export async function bundle({ root, entries, outDirectory }: BundleOptions): Promise<Bundle[]> {
  const { outputFiles, warnings } = await build({
    absWorkingDir: root,
    entryPoints: entries.flatMap(({ name, file, parts = {} }) =>
      Object.entries({ index: file, ...parts }).map(([output, source]) => ({
        in: `${entryPrefix}${source}`,
        out: `${name}/${output}`,
      })),
    ),
    outdir: outDirectory,
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts 45-100 ms faster than ESM where a bundle imports node:http.
    format: 'cjs',
    // The SDK calls `import('node:http')`. As an ESM namespace it runs every lazy getter and so loads fetch (10 ms).
    supported: { 'dynamic-import': false },
    // The default prefers CommonJS builds of dependencies, which esbuild cannot tree-shake.
    mainFields: ['module', 'main'],
    alias: {
      '@aws-sdk/credential-provider-node': path.join(import.meta.dirname, 'sdk-stubs/credential-provider.ts'),
      bowser: path.join(import.meta.dirname, 'sdk-stubs/browser-detection.ts'),
      '@smithy/core/event-streams': path.join(import.meta.dirname, 'sdk-stubs/event-streams.ts'),
      '@aws-sdk/middleware-endpoint-discovery': path.join(import.meta.dirname, 'sdk-stubs/endpoint-discovery.ts'),
    },
    plugins: [interpretedSchemas, partsOnDemand, noSharedFiles, clientVersionsOnly],
    legalComments: 'none',
    logLevel: 'silent',
  });
  if (warnings.length > 0) throw new Error((await formatMessages(warnings, { kind: 'warning' })).join('\n'));
  await removeOthers(
    outDirectory,
    entries.map(({ name }) => name),
  );
  return Promise.all(
    outputFiles.map(async ({ path: file, contents }) => {
      await writeIfChanged(file, contents);
      const { dir, name } = path.parse(path.relative(outDirectory, file));
      return { name: name === 'index' ? dir : `${dir}/${name}`, file, sizeBytes: contents.byteLength };
    }),
  );
}

export type BundleOptions = {
  /** Base of the entries' paths. */
  root: string;
  entries: readonly FunctionEntry[];
  outDirectory: string;
};

const entryPrefix = 'function:';

/**
 * Imports `interpreted-schemas.ts` before each function. esbuild's option `inject` imports it in every file instead: as
 * some are loaded on demand, all of zod would be, and each of its modules would get a wrapper.
 */
const interpretedSchemas: Plugin = {
  name: 'interpreted-schemas',
  setup({ onResolve, onLoad, initialOptions }) {
    onResolve({ filter: new RegExp(`^${entryPrefix}`) }, ({ path: entry }) => ({
      path: path.resolve(initialOptions.absWorkingDir ?? '', entry.slice(entryPrefix.length)),
      namespace: 'function',
    }));
    // A program without exports, as that of Fargate tasks, is all side effect: package.json would have it removed.
    onResolve({ filter: /.*/, namespace: 'function' }, ({ path: file }) => ({ path: file, sideEffects: true }));
    onLoad({ filter: /.*/, namespace: 'function' }, ({ path: file }) => ({
      contents: [path.join(import.meta.dirname, 'interpreted-schemas.ts'), file]
        .map((imported) => `export * from ${JSON.stringify(imported)};`)
        .join('\n'),
      resolveDir: path.dirname(file),
    }));
  },
};

/** A part of a function is a bundle of its own, beside the one that imports it on demand: a cold start loads what it needs. */
const partsOnDemand: Plugin = {
  name: 'parts-on-demand',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/parts\// }, ({ path: file }) => ({
      path: `./${path.parse(file).name}.js`,
      external: true,
    }));
  },
};

const emptySharedFiles = `
export const CONFIG_PREFIX_SEPARATOR = '.';
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });
`;

/**
 * Stubs the SDK's reader of `~/.aws`: no function has these files, and each cold start would wait for the file system.
 */
const noSharedFiles: Plugin = {
  name: 'no-shared-files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shared-ini-file-loader[\\/]loadSharedConfigFiles\.js$/ }, () => ({
      contents: emptySharedFiles,
      loader: 'js',
    }));
  },
};

/** The SDK's clients import their whole package.json for its version: 2.5 kB each. */
const clientVersionsOnly: Plugin = {
  name: 'client-versions-only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path: file }) => {
      const { version } = JSON.parse(await readFile(file, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
