import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { FunctionPlan } from '../../src/template/stage-plan.ts';

/** A function with one handler file in a new folder. `source` is CommonJS that sets `exports.handler`. */
export async function aFunction(source: string, changes: Partial<FunctionPlan> = {}): Promise<FunctionPlan> {
  const directory = await aTemporaryFolder();
  await writeFile(join(directory, 'index.js'), source);
  return {
    name: 'a-function',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:a-function',
    roleArn: 'arn:aws:iam::000000000000:role/a-role',
    logGroup: undefined,
    isTraced: false,
    code: { packageType: 'Zip', directory, handler: 'index.handler' },
    environment: {},
    timeoutSeconds: 20,
    memoryMb: 128,
    storageMb: 512,
    reservedConcurrency: undefined,
    allowsRecursion: false,
    ...changes,
  };
}
