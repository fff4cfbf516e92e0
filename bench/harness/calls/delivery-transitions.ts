import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { webhookDeliveryDefinition } from '../../../lib/state-machines/webhook-delivery.ts';

/** The number of states that a delivery execution enters if its first attempt succeeds. */
export async function deliveryTransitions(): Promise<number> {
  const definition = structuredClone(webhookDeliveryDefinition({ delaysMs: [0] })) as StateMachineDefinition;
  const machine = new StateMachine(definition, { validationOptions: { checkArn: false } });
  const settled = { Payload: { status: 'settled', detailType: 'Job Completed', detail: {} } };
  const deliver = async () => settled;
  const publish = async () => ({});
  const { result, eventLogs } = machine.run(
    { ownerId: 'owner', jobId: 'job', deliveryId: 'delivery', attempt: 1, notBefore: 0 },
    { overrides: { taskResourceLocalHandlers: { Deliver: deliver, PublishEvent: publish } } },
  );
  let entered = 0;
  for await (const { type } of eventLogs) if (type === 'StateEntered') entered += 1;
  await result;
  return entered;
}
