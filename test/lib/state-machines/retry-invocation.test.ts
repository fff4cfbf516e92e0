import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { webhookDeliveryDefinition } from '../../../lib/state-machines/webhook-delivery.ts';

type Task = { Retry: Record<string, unknown>[] };

const delivery = webhookDeliveryDefinition;

/** Every task that invokes a function. Those of `parallel-transcode` send messages instead. */
const tasks: [string, Task][] = tasksOf(delivery.States);

function tasksOf(value: unknown, name = ''): [string, Task][] {
  if (typeof value !== 'object' || value === null) return [];
  if ('Retry' in value && 'Resource' in value) return [[name, value as Task]];
  return Object.entries(value).flatMap(([key, child]) => tasksOf(child, key));
}

/** Errors that Lambda answers while it loads a function, and those that AWS advises to retry. */
const loading = ['Lambda.CodeArtifactUserPendingException', 'Lambda.ResourceNotReadyException'];
const transient = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

afterEach(() => vi.restoreAllMocks());

it('this test covers every task that invokes a function', () => {
  expect(tasks.map(([name]) => name)).toEqual(['Deliver']);
});

describe.each(tasks)('%s', (_, { Retry }) => {
  it('waits for a function that is being loaded, for longer than the 106 s that were seen', () => {
    const rule = Retry.find(({ ErrorEquals }) => String(ErrorEquals) === String(loading));
    expect(rule).toMatchObject({ IntervalSeconds: 5, BackoffRate: 2, MaxAttempts: 6, JitterStrategy: 'FULL' });
    const averageSeconds = Array.from({ length: 6 }, (__, tries) => (5 * 2 ** tries) / 2);
    expect(averageSeconds.reduce((sum, seconds) => sum + seconds)).toBeGreaterThan(106);
  });

  it('is retried after a transient error of Lambda, as AWS advises', () => {
    const rule = Retry.find(({ ErrorEquals }) => String(ErrorEquals) === String(transient));
    expect(rule).toMatchObject({ IntervalSeconds: 2, BackoffRate: 2, MaxAttempts: 6, JitterStrategy: 'FULL' });
  });

  it('is invoked again after each of these errors, until it succeeds', async () => {
    expect(await invoke({ Retry, names: [...loading, ...transient], retryDelayMs: 0 })).toBe(7);
  });
});

it('the interpreter waits for a random part of the delay, as AWS does', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const [[, { Retry }] = ['', { Retry: [] }]] = tasks;
  // Without jitter the first retry would take 5 s, which exceeds the time limit of the state.
  expect(await invoke({ Retry, names: [...loading], timeoutSeconds: 4 })).toBe(3);
});

/** Runs a task that fails with each name in turn. Returns the number of its invocations. */
async function invoke({
  Retry,
  names,
  retryDelayMs,
  timeoutSeconds = 60,
}: {
  Retry: Task['Retry'];
  names: string[];
  retryDelayMs?: number;
  timeoutSeconds?: number;
}): Promise<number> {
  let calls = 0;
  const handler = () => {
    calls += 1;
    const name = names.shift();
    if (name !== undefined) throw Object.assign(new Error(name), { name });
    return {};
  };
  const definition = {
    StartAt: 'Invoke',
    TimeoutSeconds: timeoutSeconds,
    States: { Invoke: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', Retry, End: true } },
  };
  const machine = new StateMachine(definition as unknown as StateMachineDefinition, {
    validationOptions: { noValidate: true },
  });
  await machine.run(
    {},
    {
      overrides: {
        taskResourceLocalHandlers: { Invoke: handler as never },
        ...(retryDelayMs !== undefined && { retryIntervalOverrides: { Invoke: retryDelayMs } }),
      },
    },
  ).result;
  return calls;
}
