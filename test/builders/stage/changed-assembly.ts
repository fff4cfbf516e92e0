import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../../lib/build/synthesize.ts';

type FunctionProperties = {
  PackageType?: string;
  Timeout?: number;
  Environment?: { Variables: Record<string, unknown> };
};

/** A copy of the local stage's assembly with changed functions, in a folder that the caller removes. */
export async function aChangedAssembly(change: (properties: FunctionProperties) => void): Promise<string> {
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const copy = await mkdtemp(join(tmpdir(), 'media-jobs-assembly-'));
  await cp(assemblyDirectory, copy, { recursive: true });
  const path = join(copy, 'service.template.json');
  const template = JSON.parse(await readFile(path, 'utf8'));
  for (const { Type, Properties } of Object.values<{ Type: string; Properties: FunctionProperties }>(
    template.Resources,
  )) {
    if (Type === 'AWS::Lambda::Function') change(Properties);
  }
  await writeFile(path, JSON.stringify(template));
  return copy;
}
