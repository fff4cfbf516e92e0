import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
let project: string;
let installed: string;

/** A project with the package installed below `node_modules`, where Node does not strip types. */
beforeAll(async () => {
  project = await aTemporaryFolder();
  installed = join(project, 'node_modules', manifest.name);
  await mkdir(installed, { recursive: true });
  for (const path of ['package.json', 'cli', 'client', 'core', 'formatting']) {
    await cp(join(root, path), join(installed, path), { recursive: true });
  }
  const video = join(project, 'node_modules/@media-jobs/video');
  for (const path of ['package.json', 'src']) {
    await cp(join(root, 'packages/video', path), join(video, path), { recursive: true });
  }
  const { dependencies } = JSON.parse(await readFile(join(video, 'package.json'), 'utf8'));
  const own = ['zod', 'commander', 'cli-progress'];
  expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining(own));
  for (const name of new Set([...own, ...Object.keys(dependencies)])) {
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
});

it('the program runs from an installed package without warnings', async () => {
  const program = join(installed, manifest.bin['media-jobs']);
  const { stdout, stderr } = await run(process.execPath, [program, 'recipes', 'compress', '--json'], {
    cwd: project,
  });
  expect(JSON.parse(stdout)).toMatchObject({ name: 'compress' });
  expect(stderr).toBe('');
});

it('the program runs by its name in a checkout', async () => {
  const { stdout } = await run('npx', ['--no-install', 'media-jobs', '--version'], {
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  expect(stdout).toBe(`${manifest.version}\n`);
});
