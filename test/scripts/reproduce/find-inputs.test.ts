import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findInputs } from '../../../scripts/reproduce/find-inputs.ts';
import { aWebServer } from '../../builders/http/web-server.ts';
import { aTemporaryFolder } from '../../builders/system/temporary-folder.ts';

/** `printf content | sha256sum` */
const sha256 = 'ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73';
const recorded = [{ name: 'input-1', bytes: 7, sha256 }];

it('an input of a job is found among files by its hash, or downloaded and verified', async () => {
  const directory = await aTemporaryFolder();
  const [same, other] = [join(directory, 'same'), join(directory, 'other')];
  await writeFile(same, 'content');
  await writeFile(other, 'another');
  expect(await findInputs(recorded, { files: [other, same], directory })).toEqual({ 'input-1': same });
  const find = (files: string[], url?: string) =>
    findInputs(recorded, {
      files,
      directory,
      request: url === undefined ? undefined : { mode: 'recipe', input: { url }, output: { format: 'mp4' } },
    });
  await expect(find([other])).rejects.toThrow(`None of the given files is input-1: the file of 7 B`);
  await expect(find([])).rejects.toThrow(`Pass it with --input: the file of 7 B with the SHA-256 ${sha256}`);
  await expect(find([], 'upload://object/clip.mp4')).rejects.toThrow('is an upload');
  const server = await aWebServer(({ path }, response) =>
    response.end(path === '/same' ? 'content' : 'another'),
  );
  onTestFinished(() => server.close());
  expect(await find([], `${server.origin}/same`)).toEqual({ 'input-1': join(directory, 'input-1') });
  await expect(find([], `${server.origin}/other`)).rejects.toThrow('has another file than the job read');
});
