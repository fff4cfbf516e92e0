import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { pythonWith } from '@media-jobs/testing/python-packages';
import { version } from '../core/version.ts';
import { buildDirectory, root } from '../lib/build/paths.ts';
import { runMain } from '../lib/build/run-main.ts';

const run = promisify(execFile);

/** Generates the operations of the Python client from the OpenAPI document, and builds its wheel. Returns the wheel's path. */
export async function packPython(): Promise<string> {
  const python = path.resolve(
    await pythonWith('pack-python', ['openapi-python-client==0.29.1', 'ruff', 'hatchling==1.32.0']),
  );
  const folder = path.join(buildDirectory, 'packages/python');
  const wheels = path.join(buildDirectory, 'packages/wheels');
  for (const each of [folder, wheels]) await rm(each, { recursive: true, force: true });
  await mkdir(wheels, { recursive: true });
  await cp(path.join(root, 'packages/python'), folder, { recursive: true });
  await cp(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  await writeFile(path.join(folder, 'media_jobs/version.py'), `__version__ = "${version}"\n`);
  const env = { ...process.env, PATH: `${path.dirname(python)}:${process.env.PATH}` };
  const generate = [
    'generate',
    '--path',
    path.join(root, 'docs/openapi.json'),
    '--meta',
    'none',
    '--output-path',
    'media_jobs/generated',
  ];
  await run(python, ['-m', 'openapi_python_client', ...generate], { cwd: folder, env });
  await run(python, ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', wheels], { cwd: folder, env });
  return path.join(wheels, `media_jobs-${version}-py3-none-any.whl`);
}

const usage = `Generates the operations of the Python client, builds its wheel, and prints the wheel's path. Needs Python and PyPI.

  npm run pack:python`;

if (import.meta.main) {
  await runMain(async () => {
    const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
    console.log(values.help ? usage : await packPython());
  });
}
