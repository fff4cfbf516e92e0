import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../../../lib/build/paths.ts';

const folder = path.join(root, 'functions/transcode');
const credentials = {
  AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE',
  // All characters that a shell could expand, and more than a pipe takes in one write.
  AWS_SECRET_ACCESS_KEY: 'a/+$HOME`id`\\n"\'=b',
  AWS_SESSION_TOKEN: 'token'.repeat(2_000),
};

/** Runs the entry point of the image with a program in place of the runtime client, and returns what it prints. */
async function start(program: string, environment: Record<string, string> = {}): Promise<unknown> {
  const node = [process.execPath, `--require=${path.join(folder, 'take-credentials.cjs')}`];
  const env = { PATH: '/usr/bin:/bin', ...environment };
  const command = [path.join(folder, 'start.sh'), ...node, '-e', program, 'encode-chunk.handler'];
  const { stdout } = await promisify(execFile)('sh', command, { env });
  return JSON.parse(stdout);
}

const print = (expression: string) => `console.log(JSON.stringify(${expression}))`;
const variables = 'process.env';

it('the image gives the runtime client the handler of the command, which Lambda passes as an argument', async () => {
  const expected = { _HANDLER: 'encode-chunk.handler', LAMBDA_TASK_ROOT: '/var/task' };
  expect(await start(print(variables))).toMatchObject(expected);
});

it('the variables of Lambda take precedence', async () => {
  const environment = { _HANDLER: 'index.handler', LAMBDA_TASK_ROOT: '/task' };
  expect(await start(print(variables), environment)).toMatchObject(environment);
});

it('the runtime client logs to standard output: the pipe of the credentials takes the descriptor of a pipe for logs', async () => {
  const environment = { ...credentials, _LAMBDA_TELEMETRY_LOG_FD: '3', AWS_LAMBDA_LOG_FORMAT: 'JSON' };
  const started = await start(print(variables), environment);
  expect(started).not.toHaveProperty('_LAMBDA_TELEMETRY_LOG_FD');
  expect(started).toMatchObject({ ...credentials, AWS_LAMBDA_LOG_FORMAT: 'JSON' });
});

describe('the credentials of the function', () => {
  it('are in the variables of Node, unchanged', async () => {
    expect(await start(print(variables), credentials)).toMatchObject(credentials);
  });

  const parent = `require('node:child_process').execFileSync('/bin/cat', ['/proc/' + process.pid + '/environ'], { env: {} })`;

  it.runIf(process.platform === 'linux')('are not in /proc/<pid>/environ, which a child process can read', async () => {
    const environ = String(await start(print(`${parent}.toString()`), { ...credentials, STAGE: 'test' }));
    expect(environ).toContain('STAGE=test');
    expect(environ).not.toMatch(/ASIAEXAMPLE|tokentoken|AWS_/);
  });

  it('are optional', async () => expect(await start(print(variables))).not.toHaveProperty('AWS_SESSION_TOKEN'));
});
