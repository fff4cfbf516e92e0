import { execFile } from 'node:child_process';
import { cp, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeAll, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
let project: string;
let installed: string;

/** A project with the packages installed below `node_modules`, where Node does not strip types. */
beforeAll(async () => {
  project = await aTemporaryFolder();
  const modules = join(project, 'node_modules');
  installed = join(modules, manifest.name);
  const copied = { cli: 'packages/cli', client: 'packages/client', core: 'core', video: 'packages/video' };
  const needed = new Set<string>();
  for (const [name, folder] of Object.entries(copied)) {
    const filter = (path: string) => !/\/(node_modules|test)$/.test(path);
    await cp(join(root, folder), join(modules, '@media-jobs', name), { recursive: true, filter });
    const { dependencies } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    for (const each of Object.keys(dependencies)) if (!each.startsWith('@media-jobs/')) needed.add(each);
  }
  for (const name of needed) await symlink(join(root, 'node_modules', name), join(modules, name));
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
