import { spawn } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '@media-jobs/core/api';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { CommandContext, CommandFactory } from '../context/command-context.ts';
import { cacheFolder } from '../transfer/cache-folder.ts';

/** What npm installs for the local stage, in megabytes: the service, Node 24, and ffmpeg where a package has it. */
const installedMegabytes = 600;

/** Packages of the stage whose install scripts place a program. */
const allowScripts = { node: true, 'classic-level': true, '@ffprobe-installer/linux-x64': true };

/** Runs the service on this machine, or its demo, from a package that the first run installs. */
function localCommand(name: 'start' | 'demo', description: string): CommandFactory {
  return (context) =>
    new Command(name)
      .description(description)
      .argument('[args...]', `arguments of the ${name}; --help lists them`)
      .helpOption(false)
      .allowUnknownOption()
      .action(async (args: string[]) => {
        const folder = await installStage(context);
        const node = join(folder, 'node_modules/node/bin/node');
        const program = join(folder, `node_modules/@media-jobs/stage/dist/${name}.js`);
        // The option of this program is one of the stage too.
        const json = context.isJson ? ['--json'] : [];
        const code = await runProgram(node, [program, ...args, ...json], runningIn(context));
        context.setExit(code === 0 ? 'ok' : 'unsuccessful');
      });
}

export const startCommand = localCommand(
  'start',
  'Runs the whole service on this machine. Installs it the first time.',
);
export const demoCommand = localCommand(
  'demo',
  'Compresses a clip with the service on this machine, and shows the result.',
);

/** Installs the stage of this version of the program, unless it is there. Returns the folder. */
async function installStage(context: CommandContext): Promise<string> {
  const { environment, printNote } = context;
  const caches = cacheFolder(environment);
  if (caches === undefined)
    throw new CliError('usage', 'HOME is not set: there is no folder to install the service to.');
  const folder = join(caches, `stage-${version}`);
  // Written last: an interrupted installation is repeated.
  const marker = join(folder, 'installed');
  const isInstalled = await access(marker).then(
    () => true,
    () => false,
  );
  if (isInstalled) return folder;
  printNote(`Installing the service to ${folder}: about ${installedMegabytes} MB, once for this version.`);
  await mkdir(folder, { recursive: true });
  const manifest = { private: true, dependencies: { '@media-jobs/stage': version }, allowScripts };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const code = await runProgram('npm', args, { ...runningIn(context), stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new CliError('unavailable', `npm could not install @media-jobs/stage ${version}.`);
  await writeFile(marker, '');
  return folder;
}

type Running = Pick<CommandContext, 'signal' | 'environment' | 'workingDirectory'> & { stdio?: ('ignore' | number)[] };

function runningIn({ signal, environment, workingDirectory }: CommandContext): Running {
  return { signal, environment, workingDirectory };
}

/** Runs a program until it ends. Ctrl-C reaches it too, and is sent on if it came to this process only. */
function runProgram(
  file: string,
  args: readonly string[],
  { signal, environment, workingDirectory, stdio }: Running,
): Promise<number> {
  const child = spawn(file, args, { stdio: stdio ?? 'inherit', env: { ...environment }, cwd: workingDirectory });
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
