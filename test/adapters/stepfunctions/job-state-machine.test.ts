import { SFNClient } from '@aws-sdk/client-sfn';
import { clientOptions, emulatorTraffic, startStepFunctions } from '@media-jobs/local-stage/emulators';
import type { InvocationResult } from '@media-jobs/local-stage/lambda';
import { noTasks } from '@media-jobs/local-stage/testing';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { jobStateMachine, poolStateMachine } from '../../../adapters/stepfunctions/state-machines.ts';
import type { ParallelStateMachine } from '../../../core/jobs/chunked-ports.ts';

const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:test-parallel-transcode';
const encodeChunk = 'arn:aws:lambda:us-east-1:000000000000:function:encode-chunk';
const oneTask = {
  StartAt: 'Encode',
  States: {
    Encode: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: encodeChunk, 'Payload.$': '$' },
      End: true,
    },
  },
};

const input = {
  ownerId: 'acme',
  jobId: 'job-1',
  leaseId: 'lease-1',
  planKey: 'plan',
  first: [],
  chunks: [{ chunk: 0, group: 'acme#0' }],
  group: 'acme#0',
};
const name = 'job-1-1';

let client: SFNClient;
let machine: ParallelStateMachine;
let stop: () => Promise<void>;
/** The invocations of the function, and functions that release them. */
let invoked: { event: unknown; finish: () => void }[];

beforeEach(async () => {
  invoked = [];
  const emulator = await startStepFunctions(await aTemporaryFolder(), emulatorTraffic());
  stop = afterUse(emulator.stop);
  const invoke = (_: string, event: unknown) =>
    new Promise<InvocationResult>((resolve) => {
      invoked.push({ event, finish: () => resolve({ ok: true, payload: '{}' }) });
    });
  const functions = { invoke, kill: async () => undefined, stop: async () => undefined };
  const plan = { name: 'test-parallel-transcode', arn: stateMachineArn, definition: JSON.stringify(oneTask) };
  emulator.serve([plan], () => ({ functions, send: async () => undefined, runTask: noTasks }));
  client = new SFNClient(clientOptions(emulator.endpoint));
  machine = jobStateMachine(client, stateMachineArn);
  afterUse(() => client.destroy());
});

async function ended(): Promise<void> {
  for (const { finish } of invoked) finish();
  await vi.waitUntil(async () => !(await machine.isRunning(name)), { timeout: 20_000, interval: 5 });
}

describe('starting an execution', () => {
  it('passes on the input', async () => {
    await machine.start({ name, input });
    expect(invoked.map(({ event }) => event)).toEqual([input]);
    expect(await machine.isRunning(name)).toBe(true);
  });

  it('again with the same input starts no second one', async () => {
    await machine.start({ name, input });
    await machine.start({ name, input });
    expect(invoked).toHaveLength(1);
  });

  it('again after it has ended has no effect', async () => {
    await machine.start({ name, input });
    await ended();
    const { ownerId, chunks, ...others } = input;
    await machine.start({ name, input: { chunks, ...others, ownerId } });
    expect(invoked).toHaveLength(1);
  });

  it.each(['while it runs', 'when it has ended'])('with another input is rejected %s', async (when) => {
    await machine.start({ name, input });
    if (when === 'when it has ended') await ended();
    const other = machine.start({ name, input: { ...input, leaseId: 'lease-2' } });
    await expect(other).rejects.toThrow(expect.objectContaining({ name: 'ExecutionAlreadyExists' }));
  });

  it('fails if Step Functions does not answer', async () => {
    await stop();
    await expect(machine.start({ name, input })).rejects.toThrow();
  });
});

it('a task of the pool is started once by its name, with the permission to start it alone', async () => {
  const pool = poolStateMachine(client, stateMachineArn);
  await pool.start(name);
  await ended();
  const commands: (string | undefined)[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        commands.push(commandName);
        return next(args);
      },
    { step: 'initialize' },
  );
  await pool.start(name);
  expect(invoked).toHaveLength(1);
  expect(commands).toEqual(['StartExecutionCommand']);
});

describe('stopping an execution', () => {
  it('ends it', async () => {
    await machine.start({ name, input });
    await machine.stop(name);
    expect(await machine.isRunning(name)).toBe(false);
  });

  it('does nothing if it was stopped before', async () => {
    await machine.start({ name, input });
    await machine.stop(name);
    await expect(machine.stop(name)).resolves.toBeUndefined();
  });

  it('does nothing if it has ended', async () => {
    await machine.start({ name, input });
    await ended();
    await expect(machine.stop(name)).resolves.toBeUndefined();
  });

  it('does nothing if it never existed', async () => {
    await expect(machine.stop('job-2-1')).resolves.toBeUndefined();
  });
});

describe('the state of an execution', () => {
  it('is not running if it was never started', async () => {
    expect(await machine.isRunning('job-2-1')).toBe(false);
  });

  it('is unknown if Step Functions does not answer', async () => {
    await stop();
    await expect(machine.isRunning(name)).rejects.toThrow();
  });

  it('is undefined if Step Functions throttles the call', async () => {
    const { origin } = await aWebServer((_, response) => {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }));
    });
    const client = new SFNClient({ ...clientOptions(origin), maxAttempts: 1 });
    expect(await jobStateMachine(client, stateMachineArn).isRunning(name)).toBeUndefined();
  });
});
