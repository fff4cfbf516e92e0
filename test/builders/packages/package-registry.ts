import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import { afterUse } from '@media-jobs/testing/after-use';
import { npmPackages } from '@media-jobs/testing/npm-packages';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { Tarball } from '../../../lib/build/packages/pack-package.ts';

const run = promisify(execFile);

/** A registry that serves the packed packages, and all others from the registry of npm's settings. Stopped after its use. */
export async function aPackageRegistry(tarballs: readonly Tarball[]) {
  const folder = await aTemporaryFolder();
  // Its own range is a tag of node-fetch that not every registry has.
  const tools = await npmPackages('verdaccio-6.10.4', { verdaccio: '6.10.4' }, { 'node-fetch': '2.7.0' });
  const { stdout: uplink } = await run('npm', ['config', 'get', 'registry'], { cwd: folder });
  const port = await aClosedPort();
  const address = `http://127.0.0.1:${port}`;
  await mkdir(join(folder, 'storage'));
  await writeFile(join(folder, 'config.yaml'), config(uplink.trim()));
  const program = join(tools, 'node_modules/verdaccio/bin/verdaccio');
  const args = [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`];
  const registry = spawn(process.execPath, args, { stdio: 'ignore' });
  afterUse(() => registry.kill('SIGKILL'));
  await answering(`${address}/-/ping`, registry);
  // npm publishes with a token only; the registry takes any.
  await writeFile(join(folder, '.npmrc'), `registry=${address}/\n//127.0.0.1:${port}/:_authToken=any\n`);
  const environment = { NPM_CONFIG_USERCONFIG: join(folder, '.npmrc'), npm_config_registry: `${address}/` };
  for (const { file } of tarballs) {
    await run('npm', ['publish', file, '--access', 'public'], { cwd: folder, env: { ...process.env, ...environment } });
  }
  return { environment };
}

const config = (uplink: string) => `
storage: ./storage
uplinks:
  npm:
    url: ${uplink}
packages:
  '@media-jobs/*':
    access: $all
    publish: $all
  'media-jobs':
    access: $all
    publish: $all
  '**':
    access: $all
    proxy: npm
max_body_size: 100mb
log: { type: stdout, format: pretty, level: fatal }
`;

async function answering(url: string, { exitCode }: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300 && exitCode === null; attempt += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The registry did not start');
}
