import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { acknowledgeWildcard } from '../acknowledge-findings.ts';
import type { Settings } from '../settings/settings.ts';

export type LoggedMachineProps = {
  settings: Settings;
  /** Without the stage, which goes before it. */
  name: string;
  /** In Amazon States Language; `${Partition}` in it is the partition of the deployment. */
  definition: object;
  /** What it may invoke, by their placeholders in the definition. */
  functions: Record<string, IFunction>;
  /** What else its placeholders stand for. */
  substitutions?: Record<string, string>;
};

/** A state machine that is traced and logs each step without what it carries. It may invoke its functions alone. */
export function loggedMachine(scope: Construct, props: LoggedMachineProps): StateMachine {
  const { settings, name, definition, functions, substitutions = {} } = props;
  const arns = Object.fromEntries(
    Object.entries(functions).map(([key, { functionArn }]) => [key, functionArn]),
  );
  const stateMachineName = `${settings.stage}-${name}`;
  const machine = new StateMachine(scope, 'Machine', {
    stateMachineName,
    definitionBody: DefinitionBody.fromString(JSON.stringify(definition)),
    definitionSubstitutions: { Partition: Aws.PARTITION, ...arns, ...substitutions },
    tracingEnabled: true,
    logs: {
      // Any other prefix makes Step Functions add each group to a resource policy of limited length.
      destination: new LogGroup(scope, 'Logs', {
        logGroupName: `/aws/vendedlogs/states/${stateMachineName}`,
        retention: settings.logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      level: LogLevel.ALL,
      includeExecutionData: false,
    },
  });
  acknowledgeWildcard(
    machine.role,
    '*',
    'X-Ray and the delivery of logs have no resource: AWS knows no narrower one.',
  );
  machine.addToRolePolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: Object.values(arns) }),
  );
  return machine;
}
