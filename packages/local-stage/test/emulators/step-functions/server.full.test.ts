import { StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it, vi } from 'vitest';
import { InvocationError } from '../../../src/lambda/invocation-error.ts';
import {
  aStateMachine,
  functionArn,
  hangs,
  invokes,
  oneState,
  returns,
  stateMachineArn,
} from '../../builders/a-state-machine.ts';

describe('an execution', () => {
  it('invokes a function with its payload and uses the result', async () => {
    const invoke = vi.fn(async (_name: string, _event: unknown) => returns({ status: 'settled' })());
    const { start, ended } = await aStateMachine(oneState(invokes({ OutputPath: '$.Payload' })), { invoke });
    const { executionArn, startDate } = await start({ jobId: '1' });
    expect(startDate).toBeInstanceOf(Date);
    expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '{"status":"settled"}' });
    expect(invoke.mock.calls.map(([name, event]) => [name, event])).toEqual([[functionArn, { jobId: '1' }]]);
  });

  it('fails with the error of its function', async () => {
    const error = { errorType: 'RangeError', errorMessage: 'too far', trace: [] };
    const { start, ended } = await aStateMachine(oneState(invokes()), {
      invoke: async () => ({ ok: false, error }),
    });
    const { executionArn } = await start({});
    expect(await ended(executionArn)).toMatchObject({
      status: 'FAILED',
      error: 'RangeError',
      cause: JSON.stringify(error),
    });
  });

  it.each(['TooManyRequestsException', 'CodeArtifactUserPendingException'] as const)(
    'retries %s if its definition says so',
    async (code) => {
      const retry = [{ ErrorEquals: [`Lambda.${code}`], IntervalSeconds: 1, MaxAttempts: 1 }];
      const invoke = vi.fn(returns('done')).mockRejectedValueOnce(new InvocationError(code, 'not now'));
      const { start, ended } = await aStateMachine(oneState(invokes({ Retry: retry })), { invoke });
      const { executionArn } = await start({});
      expect(await ended(executionArn)).toMatchObject({ status: 'SUCCEEDED' });
    },
  );

  it('fails with an error of Lambda that it does not retry', async () => {
    const throttled = () => Promise.reject(new InvocationError('TooManyRequestsException', 'Rate Exceeded.'));
    const { start, ended } = await aStateMachine(oneState(invokes()), { invoke: throttled });
    const { executionArn } = await start({});
    expect(await ended(executionArn)).toMatchObject({
      status: 'FAILED',
      error: 'Lambda.TooManyRequestsException',
      cause: 'Rate Exceeded.',
    });
  });

  it('continues after Catch', async () => {
    const definition = {
      StartAt: 'Invoke',
      States: {
        Invoke: invokes({ Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'Done' }] }),
        Done: { Type: 'Succeed' },
      },
    };
    const throttled = () => Promise.reject(new InvocationError('TooManyRequestsException', 'Rate Exceeded.'));
    const { start, ended } = await aStateMachine(definition, { invoke: throttled });
    const { executionArn } = await start({ jobId: '1' });
    const { status, output } = await ended(executionArn);
    expect([status, JSON.parse(output ?? '')]).toMatchObject(['SUCCEEDED', { jobId: '1', failure: {} }]);
  });

  it('can be stopped', async () => {
    const { client, start, describeOnce } = await aStateMachine(oneState(invokes()), { invoke: hangs });
    const { executionArn } = await start({});
    await client.send(new StopExecutionCommand({ executionArn, error: 'Cancelled', cause: 'by the user' }));
    expect(await describeOnce(executionArn)).toMatchObject({
      status: 'ABORTED',
      error: 'Cancelled',
      cause: 'by the user',
    });
  });

  it('that waits a fraction of a second fails, as on AWS', async () => {
    const { start, ended } = await aStateMachine(oneState({ Type: 'Wait', SecondsPath: '$.seconds', End: true }));
    const { executionArn } = await start({ seconds: 0.5 });
    expect(await ended(executionArn)).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
  });
});

describe('an execution name', () => {
  const machine = oneState({ Type: 'Pass', End: true });
  const alreadyExists = expect.objectContaining({ name: 'ExecutionAlreadyExists' });

  it('starts one execution while it runs with the same input', async () => {
    const invoke = vi.fn(hangs);
    const { start } = await aStateMachine(oneState(invokes()), { invoke });
    const [first, again] = [await start({ a: 1 }, 'wh-1'), await start({ a: 1 }, 'wh-1')];
    expect(again.executionArn).toBe(first.executionArn);
    expect(invoke).toHaveBeenCalledOnce();
  });

  it('is rejected with another input', async () => {
    const { start } = await aStateMachine(oneState(invokes()), { invoke: hangs });
    await start({ a: 1 }, 'wh-1');
    await expect(start({ a: 2 }, 'wh-1')).rejects.toThrow(alreadyExists);
  });

  it('is rejected after its execution has ended', async () => {
    const { start, ended } = await aStateMachine(machine);
    await ended((await start({}, 'wh-1')).executionArn);
    await expect(start({}, 'wh-1')).rejects.toThrow(alreadyExists);
  });

  it('stays in use after a restart, which aborts running executions', async () => {
    const directory = await aTemporaryFolder();
    const before = await aStateMachine(oneState(invokes()), { directory, invoke: hangs });
    const { executionArn } = await before.start({}, 'wh-1');
    await before.stop();
    const { start, describeOnce } = await aStateMachine(machine, { directory });
    await expect(start({}, 'wh-1')).rejects.toThrow(alreadyExists);
    expect(await describeOnce(executionArn)).toMatchObject({ status: 'ABORTED' });
  });
});

describe('a request is rejected', () => {
  it('for a machine that is not in the template', async () => {
    const { client } = await aStateMachine(oneState({ Type: 'Pass', End: true }));
    const command = new StartExecutionCommand({ stateMachineArn: `${stateMachineArn}-2` });
    await expect(client.send(command)).rejects.toThrow(expect.objectContaining({ name: 'StateMachineDoesNotExist' }));
  });

  it('for an invalid name', async () => {
    const { start } = await aStateMachine(oneState({ Type: 'Pass', End: true }));
    await expect(start({}, 'a b')).rejects.toThrow(expect.objectContaining({ name: 'InvalidName' }));
  });

  it('for an input above the maximum of bytes, though not of characters', async () => {
    const { start } = await aStateMachine(oneState({ Type: 'Pass', End: true }));
    await expect(start({ text: 'ü'.repeat(140_000) })).rejects.toThrow('at most 262144 bytes');
  });
});

describe('the stage rejects a definition', () => {
  const inParallel = (state: object) => ({ Type: 'Parallel', Branches: [oneState(state)], End: true });

  it.each<[string, object, string]>([
    [
      'that waits a fraction of a second',
      oneState({ Type: 'Wait', Seconds: 0.5, End: true }),
      'state Only: Seconds is 0.5; expected whole seconds',
    ],
    [
      'that retries after a fraction of a second',
      oneState(invokes({ Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1.5 }] })),
      'state Only, Retry 0: IntervalSeconds is 1.5',
    ],
    [
      'in JSONata',
      { QueryLanguage: 'JSONata', ...oneState({ Type: 'Pass', End: true }) },
      'QueryLanguage: the interpreter here knows JSONPath only',
    ],
    [
      'with a state in JSONata',
      oneState({ Type: 'Pass', QueryLanguage: 'JSONata', End: true }),
      'States.Only.QueryLanguage',
    ],
    [
      'that matches errors as the interpreter here does not',
      oneState(invokes({ Retry: [{ ErrorEquals: ['States.TaskFailed'] }] })),
      'States.Only.Retry.0.ErrorEquals.0: here it would match time-outs too',
    ],
    [
      'with a timeout in its data',
      oneState(invokes({ TimeoutSecondsPath: '$.seconds' })),
      'States.Only.TimeoutSecondsPath: use TimeoutSeconds here',
    ],
    [
      'with an unsupported task',
      oneState({ ...invokes(), Resource: 'arn:aws:states:::sns:publish' }),
      'the resource arn:aws:states:::sns:publish does not run here',
    ],
    [
      'with a placeholder without substitution',
      oneState(invokes({ Comment: '$' + '{Worker}' })),
      'no substitution for $' + '{Worker}',
    ],
    [
      'whose branches do any of this',
      oneState(inParallel({ Type: 'Wait', Seconds: 0.5, End: true })),
      'Seconds is 0.5',
    ],
    ['that is not in the language at all', { StartAt: 'Gone', States: {} }, 'State machine definition is invalid'],
  ])('%s', async (_, definition, message) => {
    await expect(aStateMachine(definition)).rejects.toThrow(message);
  });
});
