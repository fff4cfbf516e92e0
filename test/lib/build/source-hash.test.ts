import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, expect, it } from 'vitest';
import { sourceHash } from '../../../lib/build/source-hash.ts';

let project: string;

beforeEach(async () => {
  project = await aTemporaryFolder();
  for (const folder of ['core/jobs', 'adapters', 'functions', 'lib', 'layers', 'packages/video/src', 'docs']) {
    await mkdir(path.join(project, folder), { recursive: true });
  }
  for (const file of ['cdk.json', 'package.json', 'package-lock.json', 'core/jobs/record.ts', 'docs/page.md']) {
    await writeFile(path.join(project, file), '{}');
  }
});

const at = (file: string) => path.join(project, file);

it.each<[string, boolean, () => Promise<unknown>]>([
  ['a source changes', true, () => writeFile(at('core/jobs/record.ts'), '{ "changed": true }')],
  ['the settings change', true, () => writeFile(at('cdk.json'), '{ "changed": true }')],
  ['a dependency changes', true, () => writeFile(at('package-lock.json'), '{ "changed": true }')],
  ['a file is renamed', true, () => rename(at('core/jobs/record.ts'), at('core/jobs/jobs.ts'))],
  ['a file is added', true, () => writeFile(at('lib/new.ts'), '')],
  ['a file is only touched', false, () => utimes(at('core/jobs/record.ts'), 1, 1)],
  ['an unrelated file changes', false, () => writeFile(at('docs/page.md'), 'changed')],
])('when %s, the hash of the sources changes: %s', async (_, changes, act) => {
  const before = await sourceHash(project);
  await act();
  expect((await sourceHash(project)) !== before).toBe(changes);
});
