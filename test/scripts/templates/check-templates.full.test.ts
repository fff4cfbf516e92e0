import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';
import { aTemporaryFolder } from '../../builders/system/temporary-folder.ts';

it('the check of an assembly with a broken template fails, and names template, resource and property', async () => {
  const directory = await aTemporaryFolder();
  const Resources = { Jobs: { Type: 'AWS::SQS::Queue', Properties: { Visibility: 60 } } };
  await writeFile(path.join(directory, 'service.template.json'), JSON.stringify({ Resources }));
  const check = promisify(execFile)(
    process.execPath,
    ['scripts/check-templates.ts', '--assembly', directory],
    { cwd: root },
  );
  await expect(check).rejects.toMatchObject({
    code: 1,
    stderr: 'service.template.json: Jobs (AWS::SQS::Queue): Visibility is not a property of the schema\n',
  });
});
