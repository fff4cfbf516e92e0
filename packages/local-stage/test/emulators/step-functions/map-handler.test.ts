import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { describe, expect, it, vi } from 'vitest';
import type { InvocationResult } from '../../../src/lambda/runtime-api.ts';
import { aStateMachine, functionArn, hangs, invokes, oneState, returns } from '../../builders/a-state-machine.ts';

type ChunkEvent = { chunk: number };

const ItemProcessor = { ProcessorConfig: { Mode: 'INLINE' }, ...oneState(invokes()) };

/** A state machine with one Map over `$.chunks`. */
const aMap = (more: object = {}, processor: object = ItemProcessor) => ({
  StartAt: 'Each',
  States: {
    Each: {
      Type: 'Map',
      ItemsPath: '$.chunks',
      ItemSelector: { 'jobId.$': '$.jobId', 'chunk.$': '$$.Map.Item.Value' },
      ItemProcessor: processor,
      End: true,
      ...more,
    },
  },
});
const retrying = { Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 3600, MaxAttempts: 99 }] };
const caught = {
  StartAt: 'Each',
  States: {
    Each: {
      ...aMap({ MaxConcurrency: 2 }, oneState(invokes(retrying))).States.Each,
      Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'GaveUp' }],
    },
    GaveUp: { Type: 'Succeed' },
  },
};

const failure = (errorType: string): InvocationResult => ({
  ok: false,
  error: { errorType, errorMessage: 'no', trace: [] },
});
/** Lets an ended run do what it might still do. */
const whatFollows = () => new Promise((resolve) => setImmediate(resolve));
const chunks = (count: number) => Array.from({ length: count }, (_, index) => index);

it('a Map passes the selected input to each iteration and outputs the results in item order', async () => {
  const first = Promise.withResolvers<void>();
  const invoke = vi.fn(async (_: string, event: unknown): Promise<InvocationResult> => {
    const { chunk } = event as ChunkEvent;
    if (chunk === 7) await first.promise;
    else first.resolve();
    return returns({ chunk })();
  });
  const definition = aMap({}, oneState(invokes({ OutputPath: '$.Payload.chunk' })));
  const { start, ended } = await aStateMachine(definition, { invoke });
  const { output } = await ended((await start({ jobId: '1', chunks: [7, 8] })).executionArn);
  expect(invoke.mock.calls.map(([, event]) => event)).toEqual([
    { jobId: '1', chunk: 7 },
    { jobId: '1', chunk: 8 },
  ]);
  expect(output).toBe('[7,8]');
});

it('a Map provides index and value of the item in the context object', async () => {
  const pass = { Type: 'Pass', Parameters: { 'index.$': '$$.Map.Item.Index', 'item.$': '$$.Map.Item.Value' } };
  const { start, ended } = await aStateMachine(aMap({}, oneState({ ...pass, End: true })));
  const { output } = await ended((await start({ jobId: '1', chunks: ['a', 'b'] })).executionArn);
  expect(JSON.parse(output ?? '')).toEqual([
    { index: 0, item: 'a' },
    { index: 1, item: 'b' },
  ]);
});

it('a Map without ItemSelector passes the items, and with a null ResultPath outputs its input', async () => {
  const invoke = vi.fn(async (_name: string, _event: unknown) => returns({})());
  const definition = aMap({ ItemSelector: undefined, ResultPath: null });
  const { start, ended } = await aStateMachine(definition, { invoke });
  const { output } = await ended((await start({ chunks: [{ n: 1 }] })).executionArn);
  expect(invoke.mock.calls.map(([, event]) => event)).toEqual([{ n: 1 }]);
  expect(output).toBe('{"chunks":[{"n":1}]}');
});

it.each([
  ['as many as it says', { MaxConcurrency: 3 }, 3],
  ['40, where it says nothing', {}, 40],
  ['40, where it says that there is no limit', { MaxConcurrency: 0 }, 40],
  ['40, as inline maps are held to', { MaxConcurrency: 1000 }, 40],
])('a Map runs concurrently %s', async (_, limit, expected) => {
  let now = 0;
  let maxRunning = 0;
  const invoke = async () => {
    now += 1;
    maxRunning = Math.max(maxRunning, now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return returns({})();
  };
  const { start, ended } = await aStateMachine(aMap(limit), { invoke });
  expect(await ended((await start({ jobId: '1', chunks: chunks(60) })).executionArn)).toMatchObject({
    status: 'SUCCEEDED',
  });
  expect(maxRunning).toBe(expected);
});

it('a Map fails with its first failed iteration, and starts or retries no other', async () => {
  const waiting = Promise.withResolvers<void>();
  const invoke = vi.fn(async (_: string, event: unknown) => {
    if ((event as ChunkEvent).chunk === 1) {
      waiting.resolve();
      return failure('Busy');
    }
    await waiting.promise;
    return failure('Broken');
  });
  const { start, ended } = await aStateMachine(caught, { invoke });
  const { status, output } = await ended((await start({ jobId: '1', chunks: chunks(5) })).executionArn);
  expect([status, JSON.parse(output ?? '')]).toMatchObject(['SUCCEEDED', { failure: { Error: 'Broken' } }]);
  await whatFollows();
  expect(invoke).toHaveBeenCalledTimes(2);
});

it('a Map of a stopped execution starts or retries no iteration', async () => {
  const invoke = vi.fn(async (_: string, event: unknown) =>
    (event as ChunkEvent).chunk === 1 ? failure('Busy') : hangs(),
  );
  const { client, start, describeOnce } = await aStateMachine(caught, { invoke });
  const { executionArn } = await start({ jobId: '1', chunks: chunks(5) });
  await expect.poll(() => invoke, { interval: 1 }).toHaveBeenCalledTimes(2);
  await client.send(new StopExecutionCommand({ executionArn }));
  await whatFollows();
  expect(await describeOnce(executionArn)).toMatchObject({ status: 'ABORTED' });
  expect(invoke).toHaveBeenCalledTimes(2);
});

it('a Map over something other than a list fails the execution despite Catch', async () => {
  const { start, ended } = await aStateMachine(caught);
  const { executionArn } = await start({ jobId: '1', chunks: 'all' });
  expect(await ended(executionArn)).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
});

describe('a state', () => {
  const twice = { 'a.$': '$.text', 'b.$': '$.text' };
  it.each([
    ['receives', { FunctionName: functionArn, Payload: twice }, 'small'],
    ['outputs', { FunctionName: functionArn }, 'x'.repeat(262_144)],
  ])('a state that %s more than 256 KiB fails the execution despite Catch', async (_, Parameters, answer) => {
    const definition = {
      StartAt: 'Only',
      States: {
        Only: invokes({ Parameters, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'GaveUp' }] }),
        GaveUp: { Type: 'Succeed' },
      },
    };
    const { start, ended } = await aStateMachine(definition, { invoke: returns(answer) });
    const { executionArn } = await start({ text: 'x'.repeat(150_000) });
    expect(await ended(executionArn)).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
  });
});

it.each<[string, object, string]>([
  [
    'whose Map is distributed',
    aMap({}, { ...ItemProcessor, ProcessorConfig: { Mode: 'DISTRIBUTED' } }),
    'state Each: ProcessorConfig.Mode: every Map runs inline here',
  ],
  [
    'whose Map has a field that is unknown here',
    aMap({ ToleratedFailurePercentage: 5 }),
    'state Each: : Unrecognized key: "ToleratedFailurePercentage"',
  ],
  [
    'whose Map asks for what the interpreter here gives otherwise',
    aMap({}, oneState({ Type: 'Pass', Parameters: { 'a.$': '$$.Execution.Input' }, End: true })),
    'those of the iteration here',
  ],
  [
    'whose Map holds a state of a name that is used already',
    aMap({}, { StartAt: 'Each', States: { Each: invokes() } }),
    'state Each: another state has the same name',
  ],
  [
    'whose Map does in an iteration what stops it elsewhere',
    aMap({}, oneState({ Type: 'Wait', Seconds: 0.5, End: true })),
    'Seconds is 0.5',
  ],
])('the stage rejects a definition %s', async (_, definition, message) => {
  await expect(aStateMachine(definition)).rejects.toThrow(message);
});
