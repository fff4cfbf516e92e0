import { readdir, readFile, writeFile } from 'node:fs/promises';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { manifestFile } from '../../../functions/run-batch/manifest-file.ts';

it('the file of a killed step is written over by the next one, and removed', async () => {
  const folder = await aTemporaryFolder();
  const written = Promise.withResolvers<void>();
  // Never settles, as if its function had been killed.
  void manifestFile(folder)(async (file) => {
    await writeFile(file, 'a manifest of a hundred megabytes');
    written.resolve();
    return new Promise(() => undefined);
  });
  await written.promise;
  const read = await manifestFile(folder)(async (file) => {
    await writeFile(file, 'another');
    return [await readFile(file, 'utf8'), await readdir(folder)];
  });
  expect(read).toEqual(['another', ['manifest.jsonl']]);
  expect(await readdir(folder)).toEqual([]);
});
