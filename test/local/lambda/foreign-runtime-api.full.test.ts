import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';
import { aPoolOf } from '@media-jobs/local-stage/testing';
import { goProgram } from '@media-jobs/testing/go-program';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import pRetry from 'p-retry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

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

const program = await goProgram(emulator).catch((error: Error) => error);
if (program instanceof Error)
  console.warn(`Skipped: the Runtime Interface Emulator cannot be built: ${program.message}`);

describe.skipIf(typeof program !== 'string')('the Runtime API of AWS', () => {
  let child: ChildProcess;
  let endpoint: string;
  beforeAll(async () => {
    const folder = await aTemporaryFolder();
    await writeFile(path.join(folder, 'index.js'), source);
    for (const file of ['start.sh', 'take-credentials.cjs']) {
      await copyFile(path.join(root, 'functions/transcode', file), path.join(folder, file));
    }
    const [address, runtimeApi] = [await freeAddress(), await freeAddress()];
    const flags = ['--runtime-interface-emulator-address', address, '--runtime-api-address', runtimeApi];
    const runtime = path.join(root, 'packages/local-stage/src/lambda/bootstrap.cjs');
    const node = [process.execPath, `--require=${folder}/take-credentials.cjs`, runtime, 'index.handler'];
    // The runtime of the stage ends with its standard input.
    const entryPoint = ['sh', '-c', 'tail -f /dev/null | "$@"', 'sh', 'sh', `${folder}/start.sh`, ...node];
    const credentials = { AWS_ACCESS_KEY_ID: 'ASIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
    const variables = { LAMBDA_TASK_ROOT: folder, AWS_LAMBDA_FUNCTION_TIMEOUT: '3' };
    child = spawn(String(program), [...flags, ...entryPoint], {
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
    expect([theirs.errorType, theirs.errorMessage]).toEqual([ours.errorType, ours.errorMessage]);
  });

  it('ends an invocation at its time-out, and answers the next', async () => {
    expect(await invoke({ fails: 'hang' })).toContain('Task timed out after 3.00 seconds');
    expect(JSON.parse(await invoke({}))).toMatchObject({ key: 'ASIA' });
  });
});

async function freeAddress(): Promise<string> {
  const probe = createServer();
  const port = await listenOnLoopback(probe);
  await closeServer(probe);
  return `127.0.0.1:${port}`;
}
