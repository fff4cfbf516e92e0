import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The Python interpreter of a virtual environment with packages of PyPI, such as `moto==5.2.5`. It is made in `.build/python`, once for
 * these requirements.
 *
 * @throws Error if there is no `python3`, or PyPI cannot be reached
 */
export async function pythonWith(name: string, requirements: readonly string[]): Promise<string> {
  const directory = `.build/python/${name}`;
  const python = `${directory}/bin/python`;
  const text = requirements.join('\n');
  const made = await readFile(`${directory}/requirements.txt`, 'utf8').catch(() => '');
  if (made.trim() === text.trim()) return python;
  const unfinished = `${directory}.${process.pid}`;
  await mkdir('.build/python', { recursive: true });
  await run('python3', ['-m', 'venv', unfinished]);
  await writeFile(`${unfinished}/requirements.txt`, text);
  await run(`${unfinished}/bin/python`, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--requirement',
    `${unfinished}/requirements.txt`,
  ]);
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
  return python;
}
