// @module-tag packages
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { npmPackages } from '@media-jobs/testing/npm-packages';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { clipWith } from '@media-jobs/video/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient } from '../../lib/build/packages/pack-client.ts';
import { packCli } from '../../lib/build/packages/pack-programs.ts';
import { packStage } from '../../lib/build/packages/pack-stage.ts';
import { aPackageRegistry } from '../builders/packages/package-registry.ts';

const run = promisify(execFile);
const minutes = 60_000;

let folder: string;
let environment: Record<string, string>;
let stage: ChildProcess | undefined;
let noted = '';

const inFolder = (file: string, args: string[], env: Record<string, string> = {}) =>
  run(file, args, { cwd: folder, env: { ...environment, ...env }, maxBuffer: 16 * 1024 ** 2 });

/** An empty folder, in which all packages are installed and the service is started as their READMEs say. */
beforeAll(async () => {
  folder = await aTemporaryFolder();
  const registry = await aPackageRegistry([await packClient(), await packCli(), await packStage()]);
  const { PATH = '' } = process.env;
  environment = { PATH, HOME: folder, ...registry.environment };
  await copyFile(await clipWith(), join(folder, 'holiday.mov'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await inFolder('npm', ['install', '--no-audit', '--no-fund', '@media-jobs/client', 'media-jobs']);
  const demo = await inFolder('npx', ['media-jobs', 'demo']);
  noted = demo.stderr;
  expect(demo.stdout).toContain('saved');
  stage = spawn('npx', ['media-jobs', 'start', '--port', '0', '--json'], { cwd: folder, env: environment });
  stage.stderr?.on('data', (data) => {
    noted += String(data);
  });
  if (stage.stdout === null) throw new Error('The stage has no standard output');
  for await (const line of createInterface({ input: stage.stdout })) {
    if (!line.includes('"ready"')) continue;
    const { baseUrl, apiKey } = JSON.parse(line) as { baseUrl: string; apiKey: string };
    Object.assign(environment, { MEDIA_JOBS_URL: baseUrl, MEDIA_JOBS_KEY: apiKey });
    break;
  }
  expect(environment.MEDIA_JOBS_URL, noted).toBeDefined();
}, 10 * minutes);

afterAll(async () => {
  const ended = stage && once(stage, 'exit');
  stage?.kill('SIGTERM');
  await ended;
});

describe('the client', () => {
  const example = async () =>
    /```js\n([\s\S]*?)```/.exec(await readFile('packages/client/README.md', 'utf8'))?.[1] ?? '';

  it('depends on nothing and has at most 40 kB', async () => {
    const { dependencies } = JSON.parse(
      await readFile(join(folder, 'node_modules/@media-jobs/client/package.json'), 'utf8'),
    );
    expect(dependencies).toBeUndefined();
    expect((await packClient()).packedBytes).toBeLessThan(40_000);
  });

  it.each(['20.20.2', '24'])(
    'runs the first example of its README on Node %s',
    async (version) => {
      const node = join(await npmPackages(`node-${version}`, { node: version }), 'node_modules/node/bin/node');
      await writeFile(join(folder, 'example.js'), await example());
      await rm(join(folder, 'holiday-small.mp4'), { force: true });
      const { stdout } = await inFolder(node, ['example.js']);
      expect(stdout).toContain('uploading 100');
      expect((await stat(join(folder, 'holiday-small.mp4'))).size).toBeGreaterThan(1_000);
    },
    3 * minutes,
  );

  it('has types that compile without those of another package', { timeout: minutes }, async () => {
    const { typescript } = { typescript: join(process.cwd(), 'node_modules/typescript/bin/tsc') };
    const code = `import { createMediaJobs, webhooks, type ApiError } from '@media-jobs/client';
    const { jobs, api } = createMediaJobs({ baseUrl: 'http://127.0.0.1', apiKey: 'nte_' });
    export const run = async (error: ApiError) => {
      const { job, files } = await jobs.run(new Blob([]), { name: 'compress', crf: 28, format: 'mp4' });
      await jobs.run('https://example.com/a.mov', { steps: [{ recipe: { name: 'mute' } }], output: { format: 'mp4' } });
      await api.listJobs({ query: { state: ['failed'], metadata: { customer: '4711' } } });
      await webhooks.verify('{}', {}, 'whsec_');
      // @ts-expect-error the recipe is unknown
      await jobs.run('https://example.com/a.mov', { name: 'compres', format: 'mp4' });
      // @ts-expect-error the input has neither a URL nor a key
      await api.createJob({ body: { mode: 'recipe', input: {}, output: { format: 'mp4' }, recipe: { name: 'mute' } } });
      return [job.progress, files.output?.url, error.code];
    };`;
    await writeFile(join(folder, 'types.ts'), code);
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
    await inFolder(process.execPath, [typescript, ...options, '--lib', 'es2023,dom', 'types.ts']);
  });
});

describe('the command line', () => {
  it('takes at most 3 MB', async () => {
    const directory = join(folder, 'node_modules/media-jobs');
    const names = await readdir(directory, { recursive: true });
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000);
  });

  it('says what the installation of the service takes, and installs that', async () => {
    const announced = Number(/about (\d+) MB/.exec(noted)?.[1]);
    const { stdout } = await inFolder('du', ['-sm', join(folder, '.cache/media-jobs')]);
    const installed = Number.parseInt(stdout, 10);
    expect([announced / installed > 0.8, announced / installed < 1.25], `${installed} MB`).toEqual([true, true]);
  });

  it('runs the first example of its README', { timeout: 2 * minutes }, async () => {
    const readme = await readFile('packages/cli/README.md', 'utf8');
    const command = /npx media-jobs (submit .*)/.exec(readme)?.[1] ?? '';
    const { stdout } = await inFolder('npx', ['media-jobs', ...command.split(' ')]);
    expect(stdout).toMatch(/State +completed/);
  });

  it('runs on Node 20', { timeout: minutes }, async () => {
    const node = join(await npmPackages('node-20.20.2', { node: '20.20.2' }), 'node_modules/node/bin/node');
    const { stdout } = await inFolder(node, ['node_modules/media-jobs/dist/media-jobs.js', 'list', '--json']);
    expect(JSON.parse(stdout).jobs.length).toBeGreaterThan(0);
  });
});
