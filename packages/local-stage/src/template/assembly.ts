import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';

const artifact = z.object({
  type: z.string(),
  dependencies: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
});
const manifestSchema = z.object({ artifacts: z.record(z.string(), artifact).default({}) });

const stackProperties = z.object({
  templateFile: z.string(),
  stackName: z.string().optional(),
  parameters: z.record(z.string(), z.string()).default({}),
});
const fileProperties = z.object({ file: z.string() });
const directoryProperties = z.object({ directoryName: z.string() });

const assetsSchema = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string().optional() }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    )
    .default({}),
  dockerImages: z
    .record(
      z.string(),
      z.object({
        source: z.object({ directory: z.string().optional() }),
        destinations: z.record(z.string(), z.object({ imageTag: z.string() })),
      }),
    )
    .default({}),
});

const templateSchema = z.object({
  Parameters: z.record(z.string(), z.object({ Type: z.string(), Default: z.unknown().optional() })).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Mappings: z.record(z.string(), z.unknown()).default({}),
  Resources: z
    .record(
      z.string(),
      z.object({
        Type: z.string(),
        Condition: z.string().optional(),
        Properties: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .default({}),
  Outputs: z
    .record(
      z.string(),
      z.object({
        Value: z.unknown(),
        Export: z.object({ Name: z.unknown() }).optional(),
        Condition: z.string().optional(),
      }),
    )
    .default({}),
});

/** A synthesized CloudFormation stack. `parameters` are the values that a deployment would pass. */
export type Stack = {
  name: string;
  parameters: Record<string, string>;
  template: z.output<typeof templateSchema>;
};

/** A synthesized CDK app: its stacks, dependencies first, and the local paths of its assets. */
export type Assembly = {
  stacks: Stack[];
  /** Absolute path of each file asset by its object key. */
  files: ReadonlyMap<string, string>;
  /** Absolute path of the build folder of each container image by its tag. */
  images: ReadonlyMap<string, string>;
};

/**
 * Reads the output of `cdk synth`, including nested stages.
 *
 * @param directory the cloud assembly, with `manifest.json`
 */
export async function readAssembly(directory: string): Promise<Assembly> {
  const found = {
    stacks: [] as Stack[],
    files: new Map<string, string>(),
    images: new Map<string, string>(),
  };
  await readInto(found, resolve(directory));
  if (found.stacks.length === 0) throw new Error(`No stack in the CDK assembly ${directory}.`);
  return found;
}

type Found = { stacks: Stack[]; files: Map<string, string>; images: Map<string, string> };

async function readInto(found: Found, directory: string): Promise<void> {
  const { artifacts } = manifestSchema.parse(await readJson(join(directory, 'manifest.json')));
  for (const [id, { type, properties }] of dependenciesFirst(artifacts)) {
    if (type === 'aws:cloudformation:stack') {
      const { templateFile, stackName, parameters } = stackProperties.parse(properties);
      const template = templateSchema.parse(await readJson(join(directory, templateFile)));
      found.stacks.push({ name: stackName ?? id, parameters, template });
    }
    if (type === 'cdk:asset-manifest') await readAssets(found, join(directory, fileProperties.parse(properties).file));
    if (type === 'cdk:cloud-assembly') {
      await readInto(found, join(directory, directoryProperties.parse(properties).directoryName));
    }
  }
}

async function readAssets(found: Found, manifestPath: string): Promise<void> {
  const { files, dockerImages } = assetsSchema.parse(await readJson(manifestPath));
  const from = (path: string) => resolve(dirname(manifestPath), path);
  for (const { source, destinations } of Object.values(files)) {
    if (source.path === undefined) continue;
    for (const { objectKey } of Object.values(destinations)) found.files.set(objectKey, from(source.path));
  }
  for (const { source, destinations } of Object.values(dockerImages)) {
    if (source.directory === undefined) continue;
    for (const { imageTag } of Object.values(destinations)) found.images.set(imageTag, from(source.directory));
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`Cannot read ${path}. Run "npm run synth" first.`, { cause });
  }
}

type Artifact = z.output<typeof artifact>;

function dependenciesFirst(artifacts: Record<string, Artifact>): Map<string, Artifact> {
  const ordered = new Map<string, Artifact>();
  const visiting = new Set<string>();
  const visit = (id: string) => {
    const current = artifacts[id];
    if (!current || ordered.has(id) || visiting.has(id)) return;
    visiting.add(id);
    for (const dependency of current.dependencies) visit(dependency);
    ordered.set(id, current);
  };
  for (const id of Object.keys(artifacts)) visit(id);
  return ordered;
}
