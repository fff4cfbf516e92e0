import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { webhookDeliveryDefinition as definition } from '../../../lib/state-machines/webhook-delivery.ts';

const delivery = { ownerId: 'acme', jobId: 'job-1', deliveryId: 'delivery-1' };
const input = { ...delivery, attempt: 2, notBefore: 500, waitSeconds: 0 };
const third = { status: 'retry', ...delivery, attempt: 3, notBefore: 1500, waitSeconds: 0 };
const settled = { status: 'settled' };

/** An error with the name that Step Functions gives a failed invocation. */
class Failure extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}

/** Runs the state machine with fixed results of deliver-webhook. `calls` gets the payloads, also of a failed run. */
async function run(answers: object[], calls: object[] = []) {
  const machine = new StateMachine(structuredClone(definition) as StateMachineDefinition, {
    validationOptions: { checkArn: false },
  });
  const deliver = (call: { Payload: object }) => {
    calls.push(call.Payload);
    const answer = answers[calls.length - 1] ?? {};
    if (answer instanceof Failure) throw answer;
    return { StatusCode: 200, Payload: answer } as never;
  };
  const { result } = machine.run(input, {
    overrides: { taskResourceLocalHandlers: { Deliver: deliver as never }, retryIntervalOverrides: { Deliver: 0 } },
  });
  await result;
  return calls;
}

describe('the state machine webhook-delivery', () => {
  it('invokes deliver-webhook with the execution input', async () => expect(await run([settled])).toEqual([input]));

  it('invokes it again with its result', async () => expect(await run([third, settled])).toEqual([input, third]));

  it.each(['settled', 'done'])('ends when the result is %s', async (status) => {
    expect(await run([{ status }])).toHaveLength(1);
  });

  it('waits for the whole seconds of its input before each call', () => {
    expect(definition.StartAt).toBe('Wait');
    expect(definition.States.Wait).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Deliver' });
  });

  it('retries a throttled invocation, which never started', async () => {
    const turnedAway = new Failure('Lambda.TooManyRequestsException');
    expect(await run([turnedAway, turnedAway, settled])).toHaveLength(3);
  });

  it.each(['Lambda.Unknown', 'States.Timeout', 'Runtime.ExitError'])(
    'never makes a call again that failed with %s: it may have posted',
    async (name) => {
      const calls: object[] = [];
      await expect(run([new Failure(name), settled], calls)).rejects.toThrow(name);
      expect(calls).toHaveLength(1);
    },
  );
});
