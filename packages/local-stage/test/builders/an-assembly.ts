import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aRole, type Resource } from './resources.ts';

export type AStack = {
  resources?: Record<string, Resource>;
  parameters?: Record<string, unknown>;
  conditions?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  dependencies?: string[];
};

export type AnAssembly = {
  stacks?: Record<string, AStack>;
  /** CommonJS sources of functions; each becomes a file asset with the key `<name>.zip`. */
  functions?: Record<string, string>;
  /** The same for container images; each becomes an image asset with the tag `<name>`. */
  images?: Record<string, string>;
};

/** Writes a cloud assembly like `cdk synth`. Returns its folder. Every stack has a `Role` without a policy. */
export async function anAssembly({ stacks = {}, functions = {}, images = {} }: AnAssembly): Promise<string> {
  const directory = await aTemporaryFolder();
  const write = async (path: string, content: unknown) => {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  };
  for (const [name, source] of Object.entries({ ...functions, ...images })) {
    await write(`asset.${name}/index.js`, source);
  }
  await write('assets.json', assetManifest(Object.keys(functions), Object.keys(images)));
  for (const [name, stack] of Object.entries(stacks)) {
    await write(`${name}.template.json`, {
      ...(stack.parameters ? { Parameters: stack.parameters } : {}),
      ...(stack.conditions ? { Conditions: stack.conditions } : {}),
      ...(stack.outputs ? { Outputs: stack.outputs } : {}),
      Resources: { Role: aRole, ...stack.resources },
    });
  }
  await write('manifest.json', { version: '48.0.0', artifacts: artifacts(stacks) });
  return directory;
}

function artifacts(stacks: Record<string, AStack>): object {
  const stackArtifacts = Object.entries(stacks).map(([name, { dependencies = [] }]) => [
    name,
    {
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/unknown-region',
      properties: { templateFile: `${name}.template.json` },
      dependencies: ['assets', ...dependencies],
    },
  ]);
  const assets = { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } };
  return {
    ...Object.fromEntries(stackArtifacts),
    assets,
    Tree: { type: 'cdk:tree', properties: { file: 'tree.json' } },
  };
}

function assetManifest(functions: string[], images: string[]): object {
  return {
    version: '48.0.0',
    files: Object.fromEntries(
      functions.map((name) => [
        name,
        {
          source: { path: `asset.${name}`, packaging: 'zip' },
          destinations: { 'current_account-current_region': { bucketName: 'assets', objectKey: `${name}.zip` } },
        },
      ]),
    ),
    dockerImages: Object.fromEntries(
      images.map((name) => [
        name,
        {
          source: { directory: `asset.${name}` },
          destinations: { 'current_account-current_region': { repositoryName: 'assets', imageTag: name } },
        },
      ]),
    ),
  };
}
