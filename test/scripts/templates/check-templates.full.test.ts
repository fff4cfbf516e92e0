import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

it('the check of an assembly with a broken template fails, and names template, resource and property', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'media-jobs-assembly-'));
  onTestFinished(() => rm(directory, { recursive: true }));
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
