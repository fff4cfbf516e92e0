// @module-tag nightly
// @module-tag jobs
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = join(import.meta.dirname, '../load/load.ts');

it('a load of ten owners loses, repeats and mixes up nothing while functions are killed', async () => {
  const options = ['--rate', '2', '--minutes', '1', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...options]);
  expect(JSON.parse(stdout)).toMatchObject({
    jobs: 120,
    lost: 0,
    notCompleted: 0,
    duplicates: 0,
    lateWebhooks: 0,
    foreign: 0,
  });
});
