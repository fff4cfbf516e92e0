import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { aFunction } from '../builders/a-function.ts';
import { aPoolOf } from '../builders/a-pool.ts';
import { endpoints } from '../builders/endpoints.ts';

describe('child processes of a function', () => {
  // The function and two children, one in its process group and one in another, each hold a connection while they live.
  const spawnsAndHangs = `
    const { connect } = require('node:net');
    const { spawn } = require('node:child_process');
    exports.handler = async ({ port }) => {
      const script = 'require("node:net").connect(' + port + ', "127.0.0.1")';
      spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
      spawn(process.execPath, ['-e', script], { stdio: 'ignore', detached: true });
      connect(port, '127.0.0.1');
      await new Promise(() => {});
    }`;

  // Enough for three processes of Node.
  const memoryMb = 1024;

  /** Counts connections: `all` resolves at three, `closed` when all of them have ended. */
  async function aListener() {
    const connections: Promise<unknown>[] = [];
    const three = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      connections.push(once(socket.on('error', () => undefined).resume(), 'close'));
      if (connections.length === 3) three.resolve();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, all: three.promise, closed: () => Promise.all(connections), stop: () => server.close() };
  }

  it('child processes end when the sandbox is killed', async () => {
    const listener = await aListener();
    const pool = await aPoolOf(spawnsAndHangs, { memoryMb });
    const invocation = pool.invoke({ port: listener.port });
    await listener.all;
    await pool.kill();
    expect(await listener.closed()).toHaveLength(3);
    listener.stop();
    expect(await invocation).toMatchObject({
      ok: false,
      error: {
        errorType: 'Runtime.ExitError',
        errorMessage: expect.stringContaining('exited with error: signal: killed'),
      },
    });
    expect(pool.size()).toBe(0);
  });

  it('child processes end when the stage is killed', async () => {
    const listener = await aListener();
    const plan = await aFunction(spawnsAndHangs.replace("'ignore', detached: true", "'ignore'"), {
      memoryMb,
    });
    const options = JSON.stringify({ endpoints, temporaryDirectory: await aTemporaryFolder() });
    const stage = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `const { stageFunctions } = await import(${JSON.stringify(import.meta.resolve('../../src/lambda/functions.ts'))});
       const functions = stageFunctions([${JSON.stringify(plan)}], { ...${options}, log: () => {} });
       functions.invoke(${JSON.stringify(plan.name)}, { port: ${listener.port} });`,
    ]);
    await listener.all;
    stage.kill('SIGKILL');
    expect(await listener.closed()).toHaveLength(3);
    listener.stop();
  });

  it('child processes end when the function times out', async () => {
    const listener = await aListener();
    const logged: string[] = [];
    const pool = await aPoolOf(spawnsAndHangs, { memoryMb, timeoutSeconds: 5 }, (line) => logged.push(line));
    const result = await pool.invoke({ port: listener.port });
    expect(await listener.closed()).toHaveLength(3);
    listener.stop();
    const errorMessage = 'Task timed out after 5.00 seconds';
    expect(result).toMatchObject({ ok: false, error: { errorType: 'Sandbox.Timedout', errorMessage } });
    expect(logged).toContain(errorMessage);
  });
});
