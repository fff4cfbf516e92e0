import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
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

describe('the hash of the sources', () => {
  it.each(['core/jobs/record.ts', 'cdk.json', 'package-lock.json'])('changes with %s', async (file) => {
    const before = await sourceHash(project);
    await writeFile(path.join(project, file), '{ "changed": true }');
    expect(await sourceHash(project)).not.toBe(before);
  });

  it('changes when a file is renamed', async () => {
    const before = await sourceHash(project);
    await rename(path.join(project, 'core/jobs/record.ts'), path.join(project, 'core/jobs/jobs.ts'));
    expect(await sourceHash(project)).not.toBe(before);
  });

  it('changes when a file is added', async () => {
    const before = await sourceHash(project);
    await writeFile(path.join(project, 'lib/new.ts'), '');
    expect(await sourceHash(project)).not.toBe(before);
  });

  it('does not change when a file is only touched, or an unrelated file changes', async () => {
    const before = await sourceHash(project);
    await utimes(path.join(project, 'core/jobs/record.ts'), 1, 1);
    await writeFile(path.join(project, 'docs/page.md'), 'changed');
    expect(await sourceHash(project)).toBe(before);
  });
});
