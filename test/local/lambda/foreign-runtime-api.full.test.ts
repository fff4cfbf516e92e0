import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, copyFile, cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { aPoolOf } from '@media-jobs/local-stage/testing';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import { goProgram } from '@media-jobs/testing/go-program';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import pRetry from 'p-retry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

const run = promisify(execFile);

/** The Runtime API of AWS (Apache 2.0), which its base images run outside of Lambda. */
const emulator = {
  module: 'github.com/aws/aws-lambda-runtime-interface-emulator@v0.0.0-20261030222936-bef5c4ba774d',
  directory: './cmd/aws-lambda-rie',
};

const source = `
exports.handler = async (event, context) => {
  if (event.fails === 'error') throw new RangeError('too far');
  if (event.fails === 'value') throw 'a string';
  if (event.fails === 'exit') process.exit(7);
  if (event.fails === 'rejection') { Promise.reject(new Error('dropped')); return new Promise(() => {}); }
  if (event.fails === 'hang') return new Promise(() => setTimeout(() => {}, 60_000));
  if (event.asks === 'nothing') return undefined;
  if (event.asks === 'bytes') return 'ü'.repeat(event.count);
  const parent = require('node:child_process').execFileSync('/bin/cat', ['/proc/' + process.pid + '/environ'], { env: {} });
  return { event, left: context.getRemainingTimeInMillis() > 1000, key: process.env.AWS_ACCESS_KEY_ID, hidden: !/AWS_SE/.test(parent) };
};`;

/** The image's files and Lambda's runtime client, compiled once from its lock file with the headers of this version of Node. */
async function runtimeClient(): Promise<string> {
  const manifest = path.join(root, 'functions/transcode/runtime-client');
  const folder = path.join(root, '.build/runtime-client', process.version);
  const modules = path.join(folder, 'node_modules');
  const isThere = await access(path.join(modules, 'aws-lambda-ric/rapid-client.node')).then(
    () => true,
    () => false,
  );
  if (isThere) return modules;
  await cp(manifest, folder, { recursive: true });
  const headers = `node-linux-${process.arch}`;
  const node = `${headers}@${process.versions.node}`;
  await run('npm', ['install', '--prefix', path.join(folder, 'headers'), '--ignore-scripts', '--no-audit', node]);
  const nodedir = path.join(folder, 'headers/node_modules', headers);
  const env = { ...process.env, npm_config_nodedir: nodedir };
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, env, maxBuffer: 1e8 });
  return modules;
}

type EntryPoint = (folder: string) => string[] | Promise<string[]>;

/** As the last stage of the Dockerfile names it. */
const ofImage: EntryPoint = async (folder) => {
  const dockerfile = await readFile(path.join(root, 'functions/transcode/Dockerfile'), 'utf8');
  const words = [...dockerfile.matchAll(/^(?:ENTRYPOINT|CMD) (.+)$/gm)].flatMap(([, text = '']) => JSON.parse(text));
  await symlink(await client, path.join(folder, 'node_modules'));
  return words.map((word: string) => (word === 'node' ? process.execPath : word.replace('/var/task', folder)));
};

/** The runtime of the stage ends with its standard input. */
const ofStage: EntryPoint = (folder) => {
  const runtime = path.join(root, 'packages/local-stage/src/lambda/bootstrap.cjs');
  const node = [process.execPath, `--require=${folder}/take-credentials.cjs`, runtime, 'index.handler'];
  return ['sh', '-c', 'tail -f /dev/null | "$@"', 'sh', 'sh', `${folder}/start.sh`, ...node];
};

const skipped = (what: string) => (error: Error) => {
  console.warn(`Skipped: ${what} cannot be built: ${error.message.slice(-500)}`);
  return '';
};
const program = await goProgram(emulator).catch(skipped('the Runtime Interface Emulator'));
const client = await runtimeClient().catch(skipped("Lambda's runtime client"));
const clients: [string, EntryPoint][] = [
  ...(client === '' ? [] : [["the image's runtime client", ofImage] as [string, EntryPoint]]),
  ["the stage's runtime client", ofStage],
];

describe.skipIf(program === '').each(clients)('the Runtime API of AWS and %s', (_, entryPoint) => {
  let child: ChildProcess;
  let endpoint: string;
  beforeAll(async () => {
    const folder = await aTemporaryFolder();
    await writeFile(path.join(folder, 'index.js'), source);
    for (const file of ['start.sh', 'take-credentials.cjs']) {
      await copyFile(path.join(root, 'functions/transcode', file), path.join(folder, file));
    }
    const [address, runtimeApi] = [`127.0.0.1:${await aClosedPort()}`, `127.0.0.1:${await aClosedPort()}`];
    const flags = ['--runtime-interface-emulator-address', address, '--runtime-api-address', runtimeApi];
    const credentials = { AWS_ACCESS_KEY_ID: 'ASIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
    const variables = { LAMBDA_TASK_ROOT: folder, AWS_LAMBDA_FUNCTION_TIMEOUT: '3' };
    child = spawn(program, [...flags, ...(await entryPoint(folder))], {
      env: { PATH: process.env.PATH, ...credentials, ...variables },
      stdio: 'ignore',
    });
    endpoint = `http://${address}/2015-03-31/functions/function/invocations`;
    await pRetry(() => fetch(endpoint, { method: 'POST', body: '{}' }), { retries: 100, factor: 1, minTimeout: 100 });
  });
  afterAll(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  });

  const invoke = async (event: object) =>
    (await fetch(endpoint, { method: 'POST', body: JSON.stringify(event) })).text();

  it("starts the image's entry point, whose credentials a child process does not find", async () => {
    const event = { list: [1, 'ü'] };
    expect(JSON.parse(await invoke(event))).toEqual({ event, left: true, key: 'ASIA', hidden: true });
  });

  it.each([
    { asks: 'nothing' },
    { asks: 'bytes', count: 1_000_000 },
    { fails: 'error' },
    { fails: 'value' },
    { fails: 'rejection' },
    { fails: 'exit' },
  ])('answers as the stage does: %j', async (event) => {
    const pool = await aPoolOf(source, { timeoutSeconds: 3 });
    const result = await pool.invoke(event);
    const anonymous = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, 'ID');
    const theirs = JSON.parse(anonymous(await invoke(event)) || 'null');
    const ours = result.ok ? JSON.parse(result.payload) : JSON.parse(anonymous(JSON.stringify(result.error)));
    if (result.ok) return expect(theirs).toEqual(ours);
    // Lambda's client ends without a report of it, so the Runtime API tells of the exit.
    if (event.fails === 'rejection' && entryPoint === ofImage)
      return expect(theirs.errorType).toBe('Runtime.ExitError');
    expect([theirs.errorType, theirs.errorMessage]).toEqual([ours.errorType, ours.errorMessage]);
  });

  it('ends an invocation at its time-out, and answers the next', async () => {
    expect(await invoke({ fails: 'hang' })).toContain('Task timed out after 3.00 seconds');
    expect(JSON.parse(await invoke({}))).toMatchObject({ key: 'ASIA' });
  });
});
