import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledgeWildcard } from '../acknowledge.ts';
import { deliveryDefinition } from '../delivery-definition.ts';
import type { Settings } from '../settings.ts';

export type DeliveryMachineProps = { settings: Settings; deliverWebhook: IFunction; eventBus: IEventBus };

/** Times the delivery of a webhook, attempt by attempt, and publishes the end of the job on the event bus. */
export class DeliveryMachine extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, { settings, deliverWebhook, eventBus }: DeliveryMachineProps) {
    super(scope, id);
    const stateMachineName = `${settings.stage}-webhook-delivery`;
    this.stateMachine = new StateMachine(this, 'Machine', {
      stateMachineName,
      definitionBody: DefinitionBody.fromString(JSON.stringify(deliveryDefinition(settings.webhooks))),
      definitionSubstitutions: {
        Partition: Aws.PARTITION,
        DeliverWebhook: deliverWebhook.functionArn,
        EventBus: eventBus.eventBusName,
      },
      tracingEnabled: true,
      logs: {
        // Any other prefix makes Step Functions add each group to a resource policy of limited length.
        destination: new LogGroup(this, 'Logs', {
          logGroupName: `/aws/vendedlogs/states/${stateMachineName}`,
          retention: settings.logRetentionDays,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
        level: LogLevel.ALL,
        includeExecutionData: false,
      },
    });
    acknowledgeWildcard(
      this.stateMachine.role,
      '*',
      'X-Ray and the delivery of logs have no resource: AWS knows no narrower one.',
    );
    this.stateMachine.addToRolePolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [deliverWebhook.functionArn] }),
    );
    this.stateMachine.addToRolePolicy(
      new PolicyStatement({ actions: ['events:PutEvents'], resources: [eventBus.eventBusArn] }),
    );
  }
}
