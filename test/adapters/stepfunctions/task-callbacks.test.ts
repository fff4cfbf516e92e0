import { SFNClient } from '@aws-sdk/client-sfn';
import { clientOptions, emulatorTraffic, startStepFunctions } from '@media-jobs/local-stage/emulators';
import type { InvocationResult } from '@media-jobs/local-stage/lambda';
import { noTasks } from '@media-jobs/local-stage/testing';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { jobStateMachine, taskCallbacks } from '../../../adapters/stepfunctions/state-machines.ts';
import type { ParallelStateMachine, TaskCallbacks } from '../../../core/jobs/chunked-ports.ts';

const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:test';

/** Sends a task with its token, and the error of a failed one to a function. */
const definition = {
  StartAt: 'Send',
  States: {
    Send: {
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
      Parameters: { QueueUrl: 'tasks', MessageBody: { 'token.$': '$$.Task.Token' } },
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'Failed' }],
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
    Failed: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'failed', 'Payload.$': '$.failure' },
      End: true,
    },
  },
};

const execution = {
  name: 'job-1-1',
  input: {
    ownerId: 'acme',
    jobId: 'job-1',
    leaseId: 'lease',
    planKey: 'plan',
    first: [],
    chunks: [],
    group: 'acme#0',
  },
};

let answers: TaskCallbacks;
let machine: ParallelStateMachine;
let token: string;
/** The errors that the state machine caught. */
let failures: unknown[];
let stop: () => Promise<void>;

beforeEach(async () => {
  failures = [];
  const tokens: string[] = [];
  const emulator = await startStepFunctions(await aTemporaryFolder(), emulatorTraffic());
  stop = afterUse(emulator.stop);
  const invoke = async (_: string, failure: unknown): Promise<InvocationResult> => {
    failures.push(failure);
    return { ok: true, payload: '{}' };
  };
  const functions = { invoke, kill: async () => undefined, stop: async () => undefined };
  const send = async ({ MessageBody }: { MessageBody: string }) => {
    tokens.push(JSON.parse(MessageBody).token);
  };
  const plan = { name: 'test', arn: stateMachineArn, definition: JSON.stringify(definition) };
  emulator.serve([plan], () => ({ functions, send, runTask: noTasks }));
  const client = new SFNClient(clientOptions(emulator.endpoint));
  machine = jobStateMachine(client, stateMachineArn);
  answers = taskCallbacks(client);
  afterUse(() => client.destroy());
  await machine.start(execution);
  token = await vi.waitUntil(() => tokens[0], { timeout: 20_000, interval: 5 });
});

const ended = () =>
  vi.waitUntil(async () => !(await machine.isRunning(execution.name)), { timeout: 20_000, interval: 5 });

describe('the answer to a task token', () => {
  it('lets the execution continue after a success', async () => {
    expect(await machine.isRunning(execution.name)).toBe(true);
    await answers.succeed(token);
    await ended();
    expect(failures).toEqual([]);
  });

  it('gives the state machine the name and the message of a failure', async () => {
    await answers.fail(token, { name: 'EncodingFailed', message: 'The input is damaged' });
    await ended();
    expect(failures).toEqual([{ Error: 'EncodingFailed', Cause: 'The input is damaged' }]);
  });

  it('shortens a message to the quota of Step Functions', async () => {
    await answers.fail(token, { name: 'TaskFailed', message: 'x'.repeat(40_000) });
    await ended();
    expect(failures).toEqual([{ Error: 'TaskFailed', Cause: 'x'.repeat(32_768) }]);
  });

  it('is ignored if another delivery of the message has answered', async () => {
    await answers.succeed(token);
    await expect(answers.succeed(token)).resolves.toBeUndefined();
    await expect(answers.fail(token, { name: 'TaskFailed', message: 'late' })).resolves.toBeUndefined();
    await ended();
    expect(failures).toEqual([]);
  });

  it('is ignored if the execution was stopped', async () => {
    await machine.stop(execution.name);
    await expect(answers.succeed(token)).resolves.toBeUndefined();
  });

  it('fails if Step Functions does not answer, so that the message stays in the queue', async () => {
    await stop();
    await expect(answers.succeed(token)).rejects.toThrow();
  });
});
