import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { webhookDeliveryDefinition } from '../../../lib/state-machines/webhook-delivery.ts';

const definition = webhookDeliveryDefinition({ delaysMs: [0, 500, 1000] });
const input = { ownerId: 'acme', jobId: 'job-1', deliveryId: 'delivery-1', attempt: 1, notBefore: 0 };
const settled = { status: 'settled', detailType: 'Job Completed', detail: { jobId: 'job-1' } };

/** An error with the name that Step Functions gives a failed invocation. */
class Failure extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}

type Run = {
  answers: object[];
  publish?: (entries: unknown) => never;
  /** Records the calls, since a failed run returns nothing. */
  calls?: object[];
};

/** Runs the state machine with fixed results of deliver-webhook, and records its calls. */
async function run({ answers, publish, calls: deliveries = [] }: Run) {
  const published: unknown[] = [];
  const machine = new StateMachine(structuredClone(definition) as StateMachineDefinition, {
    validationOptions: { checkArn: false },
  });
  const deliver = (call: { Payload: object }) => {
    deliveries.push(call.Payload);
    const answer = answers[deliveries.length - 1] ?? {};
    if (answer instanceof Failure) throw answer;
    return { StatusCode: 200, Payload: answer } as never;
  };
  const publishEvent = (call: object) => {
    publish?.(call);
    published.push(call);
    return {};
  };
  const { result } = machine.run(input, {
    overrides: {
      taskResourceLocalHandlers: { Deliver: deliver as never, PublishEvent: publishEvent as never },
      retryIntervalOverrides: { Deliver: 0 },
    },
  });
  await result;
  return { deliveries, published };
}

describe('the state machine webhook-delivery', () => {
  it('invokes deliver-webhook with the execution input and the schedule', async () => {
    const { deliveries } = await run({ answers: [settled] });
    expect(deliveries).toEqual([{ ...input, delaysMs: [0, 500, 1000] }]);
  });

  it('invokes it again with attempt and time of the previous result, the rest unchanged', async () => {
    const { deliveries } = await run({
      answers: [
        { status: 'retry', attempt: 2, notBefore: 1500, waitSeconds: 0 },
        { status: 'retry', attempt: 3, notBefore: 3000, waitSeconds: 0 },
        settled,
      ],
    });
    expect(deliveries).toEqual([
      { ...input, delaysMs: [0, 500, 1000] },
      { ...input, attempt: 2, notBefore: 1500, delaysMs: [0, 500, 1000] },
      { ...input, attempt: 3, notBefore: 3000, delaysMs: [0, 500, 1000] },
    ]);
  });

  it('publishes the event of the result on the bus of the stage', async () => {
    const { published } = await run({ answers: [settled] });
    expect(published).toEqual([
      {
        Entries: [
          {
            EventBusName: `\${EventBus}`,
            Source: 'media-jobs',
            DetailType: 'Job Completed',
            Detail: { jobId: 'job-1' },
          },
        ],
      },
    ]);
  });

  it.each(['superseded', 'done'])('ends without an event when the result is %s', async (status) => {
    const { published } = await run({ answers: [{ status }] });
    expect(published).toEqual([]);
  });

  it('succeeds when the event is rejected: publishing is best effort', async () => {
    const reject = () => {
      throw new Error('EventBridge is not there');
    };
    await expect(run({ answers: [settled], publish: reject })).resolves.toBeDefined();
  });

  it('waits for the whole seconds of the result', () => {
    expect(definition.States.Wait).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Deliver' });
  });

  it('retries a throttled invocation, which never started', async () => {
    const turnedAway = new Failure('Lambda.TooManyRequestsException');
    const { deliveries, published } = await run({ answers: [turnedAway, turnedAway, settled] });
    expect(deliveries).toHaveLength(3);
    expect(published).toHaveLength(1);
  });

  it.each(['Lambda.Unknown', 'States.Timeout', 'Runtime.ExitError'])(
    'never makes a call again that failed with %s: it may have posted',
    async (name) => {
      const calls: object[] = [];
      const answers = [new Failure(name), settled];
      await expect(run({ answers, calls })).rejects.toThrow(name);
      expect(calls).toHaveLength(1);
    },
  );
});
