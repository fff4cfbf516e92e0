import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { synthesize } from '../../../lib/build/synthesize.ts';

type FunctionProperties = {
  PackageType?: string;
  Timeout?: number;
  Environment?: { Variables: Record<string, unknown> };
};

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of many shapes.
export type Template = { Resources: Record<string, { Type: string; Properties: any }> };

/** A copy of the local stage's assembly with a changed service template. */
export async function aChangedTemplate(change: (template: Template) => void): Promise<string> {
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const copy = await aTemporaryFolder();
  await cp(assemblyDirectory, copy, { recursive: true });
  const path = join(copy, 'service.template.json');
  const template = JSON.parse(await readFile(path, 'utf8'));
  change(template);
  await writeFile(path, JSON.stringify(template));
  return copy;
}

/** A copy of the local stage's assembly with changed functions. */
export function aChangedAssembly(change: (properties: FunctionProperties) => void): Promise<string> {
  return aChangedTemplate(({ Resources }) => {
    for (const { Type, Properties } of Object.values(Resources)) {
      if (Type === 'AWS::Lambda::Function') change(Properties);
    }
  });
}

/** A copy of the local stage's assembly in which the transcoder may not perform an action. */
export function anAssemblyWithout(action: string): Promise<string> {
  return aChangedTemplate(({ Resources }) => {
    for (const [id, { Type, Properties }] of Object.entries(Resources)) {
      if (Type !== 'AWS::IAM::Policy' || !/^Transcode|TranscodeJob/.test(id)) continue;
      for (const statement of Properties.PolicyDocument.Statement)
        statement.Action = [statement.Action].flat().filter((each: string) => each !== action);
    }
  });
}
