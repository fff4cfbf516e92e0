import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { version } from '@media-jobs/core/api';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

it('the program runs by its name in a checkout', async () => {
  const { stdout } = await run('npx', ['--no-install', 'media-jobs', '--version'], {
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  expect(stdout).toBe(`${version}\n`);
});
