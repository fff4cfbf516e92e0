import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { close, listen } from '../../../local/http-server.ts';
import {
  type FunctionPool,
  functionPool,
  TooManyRequestsError,
} from '../../../local/lambda/function-pool.ts';
import type { FunctionPlan } from '../../../local/template/stage-plan.ts';
import { aFolder } from '../builders/a-folder.ts';
import { aFunction } from './a-function.ts';

const endpoints = {
  dynamodb: 'http://127.0.0.1:1',
  sqs: 'http://127.0.0.1:2',
  s3: 'http://127.0.0.1:3',
  sfn: 'http://127.0.0.1:4',
  api: 'http://127.0.0.1:5',
};

const pools: FunctionPool[] = [];
let temporaryDirectory: string;
let logged: string[] = [];

beforeAll(async () => {
  temporaryDirectory = await aFolder();
});

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.kill()));
  logged = [];
});

async function poolOf(source: string, changes?: Partial<FunctionPlan>): Promise<FunctionPool> {
  const plan = await aFunction(source, changes);
  const pool = functionPool({ plan, endpoints, temporaryDirectory, log: (_, line) => logged.push(line) });
  pools.push(pool);
  return pool;
}

async function payloadOf(pool: FunctionPool, event: unknown = {}): Promise<unknown> {
  const result = await pool.invoke(event);
  if (!result.ok) throw new Error(`${result.error.errorType}: ${result.error.errorMessage}`);
  return JSON.parse(result.payload);
}

describe('a warm sandbox', () => {
  it('serves one invocation after the other in the same process', async () => {
    const pool = await poolOf('let calls = 0; exports.handler = async () => [process.pid, ++calls]');
    const [pid, first] = (await payloadOf(pool)) as number[];
    const [samePid, second] = (await payloadOf(pool)) as number[];
    expect([samePid, first, second]).toEqual([pid, 1, 2]);
    expect(pool.size()).toBe(1);
  });

  it('is replaced when it ended after its answer', async () => {
    const pool = await poolOf(
      'exports.handler = async () => { setImmediate(() => process.exit(0)); return process.pid }',
    );
    const pids = [await payloadOf(pool), await payloadOf(pool), await payloadOf(pool)];
    expect(new Set(pids).size).toBe(3);
  });
});

describe('concurrency', () => {
  /** Answers every request only once `count` of them have come. */
  async function aMeetingOf(count: number): Promise<{ url: string; server: Server }> {
    const present: (() => void)[] = [];
    const server = createServer((_, response) => {
      present.push(() => response.end());
      if (present.length === count) for (const leave of present) leave();
    });
    return { url: `http://127.0.0.1:${await listen(server)}`, server };
  }

  const meets = 'exports.handler = async ({ url }) => { await fetch(url); return process.pid }';

  it('gives every invocation at the same time a sandbox of its own', async () => {
    const pool = await poolOf(meets);
    const { url, server } = await aMeetingOf(3);
    const pids = await Promise.all([1, 2, 3].map(() => payloadOf(pool, { url })));
    await close(server);
    expect(new Set(pids).size).toBe(3);
  });

  it('refuses an invocation above the reserved concurrency', async () => {
    const pool = await poolOf(meets, { reservedConcurrency: 1 });
    const { url, server } = await aMeetingOf(1);
    const [taken, refused] = await Promise.allSettled([pool.invoke({ url }), pool.invoke({ url })]);
    await close(server);
    expect(taken.status).toBe('fulfilled');
    expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(TooManyRequestsError) });
  });
});

describe('where this machine runs no more sandboxes at once', () => {
  /** Two invocations of a function that runs once at a time: the first has begun, the second waits. */
  async function oneBegunOneWaiting(signal?: AbortSignal) {
    const pool = await poolOf(
      'exports.handler = async ({ url }) => { if (url) await fetch(url); return process.pid }',
      { atOnce: 1 },
    );
    const { promise: reached, resolve: reach } = Promise.withResolvers<() => void>();
    const server = createServer((_, response) => reach(() => response.end()));
    const url = `http://127.0.0.1:${await listen(server)}`;
    const first = pool.invoke({ url });
    const begun: string[] = [];
    const second = pool.invoke({}, { ...(signal ? { signal } : {}), onBegin: () => begun.push('second') });
    const outcomes = Promise.allSettled([first, second]).finally(() => close(server));
    return { pool, letGo: await reached, begun, outcomes };
  }

  it('an invocation waits for its turn, and then begins', async () => {
    const { letGo, begun, outcomes } = await oneBegunOneWaiting();
    expect(begun).toEqual([]);
    letGo();
    const [first, second] = await outcomes;
    expect(second).toEqual(first);
    expect(begun).toEqual(['second']);
  });

  it('an invocation that is given up while it waits never begins', async () => {
    const giveUp = new AbortController();
    const { letGo, begun, outcomes } = await oneBegunOneWaiting(giveUp.signal);
    giveUp.abort();
    letGo();
    expect(await outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }]);
    expect(begun).toEqual([]);
  });

  it('an invocation that waits begins when the sandboxes are killed', async () => {
    const { pool, outcomes } = await oneBegunOneWaiting();
    await pool.kill();
    expect(await outcomes).toMatchObject([{ value: { ok: false } }, { value: { ok: true } }]);
  });

  it('no invocation begins any more once all is stopped, and no sandbox stays', async () => {
    const { pool, begun, outcomes } = await oneBegunOneWaiting();
    await pool.stop();
    expect(await outcomes).toMatchObject([{ value: { ok: false } }, { status: 'rejected' }]);
    expect([begun, pool.size()]).toEqual([[], 0]);
  });
});

describe('what a function sees', () => {
  it('is its own variables, the variables of Lambda and the emulators, and nothing of this machine', async () => {
    const pool = await poolOf('exports.handler = async () => process.env', {
      environment: { TABLE_NAME: 'jobs' },
    });
    process.env.OF_THIS_MACHINE = 'secret';
    const environment = await payloadOf(pool);
    delete process.env.OF_THIS_MACHINE;
    expect(environment).toMatchObject({
      TABLE_NAME: 'jobs',
      AWS_LAMBDA_FUNCTION_NAME: 'a-function',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
      AWS_ENDPOINT_URL_SQS: endpoints.sqs,
      AWS_ENDPOINT_URL_S3: endpoints.s3,
      AWS_ENDPOINT_URL_SFN: endpoints.sfn,
    });
    expect(environment).not.toHaveProperty('OF_THIS_MACHINE');
  });

  it('is the context of its invocation', async () => {
    const pool = await poolOf(
      'exports.handler = async (event, { getRemainingTimeInMillis, ...context }) => ({ context, left: getRemainingTimeInMillis() })',
    );
    const { context, left } = (await payloadOf(pool)) as { context: unknown; left: number };
    expect(context).toMatchObject({
      functionName: 'a-function',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:a-function',
      memoryLimitInMB: '128',
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(20_000);
  });

  it('is a heap that follows its memory', async () => {
    const pool = await poolOf('exports.handler = async () => process.execArgv', { memoryMb: 1000 });
    expect(await payloadOf(pool)).toEqual(['--max-old-space-size=900']);
  });
});

describe('a function that fails', () => {
  it('is reported with the type and message of what it threw, and its sandbox stays', async () => {
    const pool = await poolOf(
      'exports.handler = async (bad) => { if (bad) throw new RangeError("too far"); return process.pid }',
    );
    const pid = await payloadOf(pool, false);
    const result = await pool.invoke(true);
    expect(result).toMatchObject({ ok: false, error: { errorType: 'RangeError', errorMessage: 'too far' } });
    expect(await payloadOf(pool, false)).toBe(pid);
  });

  it('is reported when it cannot be loaded', async () => {
    const result = await (await poolOf('throw new TypeError("broken bundle")')).invoke({});
    expect(result).toMatchObject({
      ok: false,
      error: { errorType: 'TypeError', errorMessage: 'broken bundle' },
    });
  });

  it('is reported when it exports no handler', async () => {
    const result = await (await poolOf('exports.other = 1')).invoke({});
    expect(result).toMatchObject({ ok: false, error: { errorType: 'Runtime.HandlerNotFound' } });
  });

  it('is reported when its process ends under it', async () => {
    const result = await (await poolOf('exports.handler = async () => process.exit(7)')).invoke({});
    expect(result).toMatchObject({
      ok: false,
      error: { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited with error: exit status 7' },
    });
  });

  it('is reported when it left a rejection unhandled', async () => {
    const pool = await poolOf(
      'exports.handler = () => { Promise.reject(new Error("dropped")); return new Promise(() => {}) }',
    );
    expect(await pool.invoke({})).toMatchObject({
      ok: false,
      error: { errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: 'dropped' },
    });
  });
});

describe('what a function started', () => {
  // It and two children, one in its group and one that left it, each hold a connection for as long as they live.
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

  /** Counts connections: `all` resolves when there are three, `closed` when every one made so far has ended. */
  async function aListener() {
    const connections: Promise<unknown>[] = [];
    const three = Promise.withResolvers<void>();
    const server = createTcpServer((socket) => {
      connections.push(once(socket.on('error', () => undefined).resume(), 'close'));
      if (connections.length === 3) three.resolve();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, all: three.promise, closed: () => Promise.all(connections), stop: () => server.close() };
  }

  it('ends with the function when its sandbox is killed', async () => {
    const listener = await aListener();
    const pool = await poolOf(spawnsAndHangs);
    const invocation = pool.invoke({ port: listener.port });
    await listener.all;
    await pool.kill();
    await listener.closed();
    listener.stop();
    expect(await invocation).toMatchObject({
      ok: false,
      error: { errorType: 'Runtime.ExitError', errorMessage: 'Runtime exited with signal: SIGKILL' },
    });
    expect(pool.size()).toBe(0);
  });

  it('ends with the stage, however that ends', async () => {
    const listener = await aListener();
    const plan = await aFunction(spawnsAndHangs.replace("'ignore', detached: true", "'ignore'"));
    const options = JSON.stringify({ plan, endpoints, temporaryDirectory });
    const stage = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `const { functionPool } = await import(${JSON.stringify(import.meta.resolve('../../../local/lambda/function-pool.ts'))});
       functionPool({ ...${options}, log: () => {} }).invoke({ port: ${listener.port} });`,
    ]);
    await listener.all;
    stage.kill('SIGKILL');
    await listener.closed();
    listener.stop();
    expect(stage.killed).toBe(true);
  });

  it('ends with the function when that outlives its time-out', async () => {
    const listener = await aListener();
    const pool = await poolOf(spawnsAndHangs, { timeoutSeconds: 1 });
    const result = await pool.invoke({ port: listener.port });
    await listener.closed();
    listener.stop();
    const errorMessage = 'Task timed out after 1.00 seconds';
    expect(result).toMatchObject({ ok: false, error: { errorType: 'Sandbox.Timedout', errorMessage } });
    expect(logged).toContain(errorMessage);
  });
});
