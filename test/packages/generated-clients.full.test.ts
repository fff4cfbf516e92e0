// @module-tag packages
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { npmPackages } from '@media-jobs/testing/npm-packages';
import { pythonWith } from '@media-jobs/testing/python-packages';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { clipWith } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const run = promisify(execFile);
const minutes = 60_000;

/** The examples of the page, by the generator that precedes each: its command, and a program that uses the client. */
async function examplesOfPage(): Promise<Map<string, { command: string; program: string }>> {
  const page = await readFile('docs/generated-clients.md', 'utf8');
  const sections = page.matchAll(/^## (\S+)[\s\S]*?```sh\n([\s\S]*?)```[\s\S]*?```(?:ts|python)\n([\s\S]*?)```/gm);
  return new Map([...sections].map(([, name = '', command = '', program = '']) => [name, { command, program }]));
}

let running: RunningStage;
let source: WebServer;
let environment: Record<string, string | undefined>;
beforeAll(async () => {
  running = await aRunningStage();
  const clip = await readFile(await clipWith());
  source = await aWebServer((_, response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end(clip));
  const { baseUrl } = running.stage;
  environment = { ...process.env, MEDIA_JOBS_URL: baseUrl, MEDIA_JOBS_KEY: running.apiKey };
}, 5 * minutes);

/** A folder with the document, the generated client and the program, which takes the clip as its input. */
async function aProject(generator: string, extension: string) {
  const { command, program } = (await examplesOfPage()).get(generator) ?? { command: '', program: '' };
  const folder = await aTemporaryFolder();
  await cp('docs/openapi.json', join(folder, 'openapi.json'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const own = program.replace(/https:\/\/download\.blender\.org\/\S+\.mov/, `${source.origin}/clip.mp4`);
  await writeFile(join(folder, `first-job.${extension}`), own);
  return { folder, commands: command.trim().split('\n') };
}

describe.each([
  ['openapi-typescript', { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0' }],
  ['orval', { orval: '8.38.0' }],
  ['hey-api', { '@hey-api/openapi-ts': '0.99.0' }],
  ['swagger-typescript-api', { 'swagger-typescript-api': '13.13.0' }],
])('a client by %s', (generator, packages) => {
  it('compiles strictly, and runs the first job and the filters of the list', { timeout: 5 * minutes }, async () => {
    const common = { typescript: '5.9.3', prettier: '3.6.2', '@types/node': '24.10.1', esbuild: '0.28.2' };
    const tools = await npmPackages(generator, { ...common, ...packages });
    const { folder, commands } = await aProject(generator, 'ts');
    const bin = join(tools, 'node_modules/.bin');
    const env = { ...environment, PATH: `${bin}:${process.env.PATH}` };
    await symlink(join(tools, 'node_modules'), join(folder, 'node_modules'));
    for (const command of commands.filter((line) => line.startsWith('npx ')))
      await run('sh', ['-c', command], { cwd: folder, env });
    const options = '--strict --noEmit --target es2022 --module preserve --lib es2023,dom,dom.iterable';
    await run(join(bin, 'tsc'), [...options.split(' '), 'first-job.ts'], { cwd: folder, env });
    await run(
      join(bin, 'esbuild'),
      ['first-job.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=first-job.js'],
      { cwd: folder, env },
    );
    const { stdout } = await run(process.execPath, ['first-job.js'], { cwd: folder, env });
    expect(stdout).toMatch(/^completed http\S+\n1\n$/);
  });
});

it(
  'a client by openapi-python-client runs the first job and the filters of the list',
  async () => {
    const python = await pythonWith('openapi-python-client', ['openapi-python-client==0.29.1', 'ruff']);
    const { folder, commands } = await aProject('openapi-python-client', 'py');
    const env = { ...environment, PATH: `${resolve(python, '..')}:${process.env.PATH}` };
    for (const command of commands.filter((line) => !line.startsWith('pip ')))
      await run('sh', ['-c', command], { cwd: folder, env });
    const { stdout } = await run(resolve(python), ['first-job.py'], { cwd: folder, env });
    expect(stdout).toMatch(/^completed http\S+\n1\n$/);
  },
  5 * minutes,
);
