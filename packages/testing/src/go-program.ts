import { execFile } from 'node:child_process';
import { access, mkdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A command of a Go module, such as `./cmd/server` of `example.org/server@v1.0.0`. */
export type GoCommand = { module: string; directory: string };

/**
 * The path of a program, built from its module once and kept outside of this tree: a large one takes many minutes. `go install` rejects
 * modules that replace others, so the program is built in the folder of its module.
 *
 * @throws Error if there is no `go`, or the module cannot be had
 */
export async function goProgram({ module, directory }: GoCommand): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  const folder = path.join(cache, 'media-jobs', 'go');
  const program = path.join(folder, module.replaceAll('/', '+'));
  const isThere = await access(program).then(
    () => true,
    () => false,
  );
  if (isThere) return program;
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: folder });
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  const unfinished = `${program}.${process.pid}`;
  await run('go', ['build', '-C', Dir, '-o', unfinished, directory], { maxBuffer: 1e8 });
  await rename(unfinished, program);
  return program;
}
