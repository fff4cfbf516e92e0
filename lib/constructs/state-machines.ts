import { ArnFormat, Aws, Duration, Stack } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { acknowledgeWildcard } from '../acknowledge-findings.ts';
import { namePrefix } from '../names.ts';
import type { FargateSettings, PoolSettings } from '../settings/fargate.ts';
import { chunkingOf } from '../settings/owner-limits.ts';
import type { Settings } from '../settings/settings.ts';
import { fargatePoolDefinition, fargateTranscodeDefinition } from '../state-machines/fargate-transcode.ts';
import { maxMapConcurrency, parallelInListsDefinition } from '../state-machines/parallel-in-lists.ts';
import { parallelTranscodeDefinition } from '../state-machines/parallel-transcode.ts';
import { batchDefinition, webhookDeliveryDefinition } from '../state-machines/webhook-delivery.ts';
import type { FargateTasks } from './fargate-tasks.ts';
import { logGroup } from './function-identity.ts';

const parallelName = 'parallel-transcode';

/** Leaves time to wait for other jobs. All attempts of a job end before the bucket expires its chunks. */
const queueTimeout = Duration.hours(24);

const fargateName = 'fargate-transcode';

const poolName = 'fargate-pool';

/** The state machines that invoke one function again and again, after the time that it returns. */
const loops = {
  /** The attempts of a webhook after the first. */
  'webhook-delivery': { definition: webhookDeliveryDefinition, placeholder: 'DeliverWebhook' },
  /** The steps of a batch. */
  batch: { definition: batchDefinition, placeholder: 'RunBatch' },
};

export class LoopStateMachine extends Construct {
  /** By its name: deliver-webhook starts the machine that invokes it. */
  readonly stateMachineArn: string;

  constructor(
    scope: Construct,
    id: string,
    { settings, name, invoked }: { settings: Settings; name: keyof typeof loops; invoked: IFunction },
  ) {
    super(scope, id);
    loggedStateMachine(this, {
      settings,
      name,
      definition: loops[name].definition,
      functions: { [loops[name].placeholder]: invoked },
    });
    this.stateMachineArn = statesArn(this, 'stateMachine', `${namePrefix(settings.stage)}-${name}`);
  }
}

export type ParallelMachineProps = { settings: Settings; encodeChunkQueue: IQueue; joinChunksQueue: IQueue };

/** Encodes the chunks of a job in parallel, then joins them, by tasks in queues. */
export class ParallelStateMachine extends Construct {
  readonly stateMachine: StateMachine;
  /** ARN pattern of all executions. */
  readonly executionsArn: string;

  constructor(scope: Construct, id: string, { settings, ...queues }: ParallelMachineProps) {
    super(scope, id);
    const { encodeChunkQueue, joinChunksQueue } = queues;
    this.stateMachine = loggedStateMachine(this, {
      settings,
      name: parallelName,
      definition: chunkedJobDefinition(settings),
      substitutions: { EncodeChunkQueue: encodeChunkQueue.queueUrl, JoinChunksQueue: joinChunksQueue.queueUrl },
    });
    this.stateMachine.addToRolePolicy(
      new PolicyStatement({
        actions: ['sqs:SendMessage'],
        resources: [encodeChunkQueue.queueArn, joinChunksQueue.queueArn],
      }),
    );
    this.executionsArn = statesArn(this, 'execution', `${namePrefix(settings.stage)}-${parallelName}:*`);
  }
}

function chunkedJobDefinition(settings: Settings): object {
  const { maxParallelChunks } = chunkingOf(settings);
  const machine = { maxParallelChunks, timeoutSeconds: queueTimeout.toSeconds() };
  const fitsIntoMap = maxParallelChunks <= maxMapConcurrency;
  return fitsIntoMap ? parallelTranscodeDefinition(machine) : parallelInListsDefinition(machine);
}

type FargateMachineProps = { settings: Settings; fargate: FargateSettings; tasks: FargateTasks };

export class FargateStateMachine extends Construct {
  readonly stateMachine: StateMachine;
  /** ARN pattern of all executions. */
  readonly executionsArn: string;

  constructor(
    scope: Construct,
    id: string,
    { settings, fargate, tasks, pool }: FargateMachineProps & { pool?: PoolSettings },
  ) {
    super(scope, id);
    const { definition, clusterArn, tasksArn } = tasks;
    const name = pool === undefined ? fargateName : poolName;
    this.stateMachine = loggedStateMachine(this, {
      settings,
      name,
      definition:
        pool === undefined ? fargateTranscodeDefinition(fargate) : fargatePoolDefinition({ ...fargate, pool }),
      substitutions: { Cluster: clusterArn, TaskDefinition: definition.family, SecurityGroup: tasks.securityGroupId },
    });
    const conditions = { ArnEquals: { 'ecs:cluster': clusterArn } };
    for (const statement of [
      { actions: ['ecs:RunTask'], resources: [tasks.revisionsArn], conditions },
      { actions: ['ecs:StopTask', 'ecs:DescribeTasks'], resources: [tasksArn], conditions },
      {
        actions: ['iam:PassRole'],
        resources: [definition.taskRole.roleArn, definition.obtainExecutionRole().roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      },
      {
        // Step Functions learns by this rule, which it manages, that a task has stopped.
        actions: ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
        resources: [
          Stack.of(this).formatArn({
            service: 'events',
            resource: 'rule',
            resourceName: 'StepFunctionsGetEventsForECSTaskRule',
          }),
        ],
      },
    ]) {
      this.stateMachine.addToRolePolicy(new PolicyStatement(statement));
    }
    acknowledgeWildcard(
      this.stateMachine.role,
      tasks.revisionsArn,
      'An execution that waits during a deployment starts the new revision; the old one is inactive then.',
    );
    acknowledgeWildcard(this.stateMachine.role, tasksArn, 'The tasks of one cluster: their ids are random.');
    this.executionsArn = statesArn(this, 'execution', `${namePrefix(settings.stage)}-${name}:*`);
  }
}

function statesArn(scope: Construct, resource: 'stateMachine' | 'execution', resourceName: string): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service: 'states', resource, resourceName, arnFormat });
}

type StateMachineOptions = {
  settings: Settings;
  /** The name without the prefix of the stage. */
  name: string;
  /** In Amazon States Language. `${Partition}` becomes the partition of the deployment. */
  definition: object;
  /** The functions that it invokes, by placeholder. */
  functions?: Record<string, IFunction>;
  /** Values of further placeholders. */
  substitutions?: Record<string, string>;
};

/** A state machine with tracing and logs of every step, without payloads. It may invoke its functions only. */
function loggedStateMachine(scope: Construct, options: StateMachineOptions): StateMachine {
  const { settings, name, definition, functions = {}, substitutions = {} } = options;
  const arns = Object.fromEntries(Object.entries(functions).map(([key, { functionArn }]) => [key, functionArn]));
  const stateMachineName = `${namePrefix(settings.stage)}-${name}`;
  const machine = new StateMachine(scope, 'Machine', {
    stateMachineName,
    definitionBody: DefinitionBody.fromString(JSON.stringify(definition)),
    definitionSubstitutions: { Partition: Aws.PARTITION, ...arns, ...substitutions },
    tracingEnabled: true,
    role: new InlineRole(scope, 'MachineRole'),
    logs: { destination: stateMachineLogs(scope, settings), level: LogLevel.ALL, includeExecutionData: false },
  });
  acknowledgeWildcard(machine.role, '*', 'X-Ray traces and log delivery do not support resource-level permissions.');
  if (Object.keys(arns).length > 0) {
    machine.addToRolePolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: Object.values(arns) }),
    );
  }
  return machine;
}

/** The log group of all state machines of a stage: each entry has the ARN of its execution. */
function stateMachineLogs(scope: Construct, settings: Settings): LogGroup {
  const stack = Stack.of(scope);
  const id = 'StateMachineLogs';
  const existing = stack.node.tryFindChild(id) as LogGroup | undefined;
  // With any other prefix, Step Functions adds each log group to a resource policy of limited length.
  const name = `/aws/vendedlogs/states/${namePrefix(settings.stage)}`;
  return existing ?? logGroup(stack, id, { ...settings, name });
}

/** A role whose permissions are inside of it. CDK would add a policy to the template, which is a resource more. */
class InlineRole extends Role {
  private readonly permissions: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const permissions = new PolicyDocument();
    const assumedBy = new ServicePrincipal('states.amazonaws.com');
    super(scope, id, { assumedBy, inlinePolicies: { Permissions: permissions } });
    this.permissions = permissions;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.permissions.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
