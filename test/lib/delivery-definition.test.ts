import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { deliveryDefinition } from '../../lib/delivery-definition.ts';

const definition = deliveryDefinition({ delaysMs: [0, 500, 1000] });
const input = { ownerId: 'acme', jobId: 'job-1', deliveryId: 'delivery-1', attempt: 1, notBefore: 0 };
const settled = { status: 'settled', detailType: 'Job Completed', detail: { jobId: 'job-1' } };

type Run = { answers: object[]; publish?: (entries: unknown) => never };

/** Runs the machine with answers in place of deliver-webhook, and notes what it calls. */
async function run({ answers, publish }: Run) {
  const deliveries: unknown[] = [];
  const published: unknown[] = [];
  const machine = new StateMachine(structuredClone(definition) as StateMachineDefinition, {
    validationOptions: { checkArn: false },
  });
  const deliver = (call: { Payload: object }) => {
    deliveries.push(call.Payload);
    return { StatusCode: 200, Payload: answers[deliveries.length - 1] ?? {} } as never;
  };
  const publishEvent = (call: object) => {
    publish?.(call);
    published.push(call);
    return {};
  };
  const { result } = machine.run(input, {
    overrides: {
      taskResourceLocalHandlers: { Deliver: deliver as never, PublishEvent: publishEvent as never },
    },
  });
  await result;
  return { deliveries, published };
}

describe('the delivery machine', () => {
  it('calls with the execution input and the schedule', async () => {
    const { deliveries } = await run({ answers: [settled] });
    expect(deliveries).toEqual([{ ...input, delaysMs: [0, 500, 1000] }]);
  });

  it('calls again with the attempt and time of the answer before, the rest unchanged', async () => {
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

  it('publishes the event of the answer on the bus of the stage', async () => {
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

  it.each(['superseded', 'done'])('ends in silence when the answer is %s', async (status) => {
    const { published } = await run({ answers: [{ status }] });
    expect(published).toEqual([]);
  });

  it('ends well when the event is refused: publishing is best effort', async () => {
    const refuse = () => {
      throw new Error('EventBridge is not there');
    };
    await expect(run({ answers: [settled], publish: refuse })).resolves.toBeDefined();
  });

  it('waits the whole seconds of the answer, as the service can', () => {
    expect(definition.States.Wait).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Deliver' });
  });

  it('never repeats a call by itself: the one that failed may have posted', () => {
    expect(definition.States.Deliver).not.toHaveProperty('Retry');
  });
});
