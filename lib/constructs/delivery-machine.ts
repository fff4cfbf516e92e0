import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { webhookDeliveryDefinition } from '../state-machines/webhook-delivery.ts';
import { loggedMachine } from './logged-machine.ts';

export type DeliveryMachineProps = { settings: Settings; deliverWebhook: IFunction; eventBus: IEventBus };

/** Times the delivery of a webhook, attempt by attempt, and publishes the end of the job on the event bus. */
export class DeliveryMachine extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, { settings, deliverWebhook, eventBus }: DeliveryMachineProps) {
    super(scope, id);
    this.stateMachine = loggedMachine(this, {
      settings,
      name: 'webhook-delivery',
      definition: webhookDeliveryDefinition(settings.webhooks),
      functions: { DeliverWebhook: deliverWebhook },
      substitutions: { EventBus: eventBus.eventBusName },
    });
    this.stateMachine.addToRolePolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [eventBus.eventBusArn] }),
    );
  }
}
