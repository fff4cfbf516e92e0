import { arn } from '../aws-names.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import type { AccessControl } from './access-control.ts';
import type { AccessRequest } from './access-request.ts';

/** A call that AWS makes by itself under a role of the template. */
type PlatformCall = {
  roleArn: string;
  requests: AccessRequest[];
  /** AWS does not create the resource without this permission. Otherwise only logs or traces are lost. */
  isRequired: boolean;
};

/** Permissions that Step Functions needs for its logs (Step Functions Developer Guide, "Logging using CloudWatch Logs"). */
const logDeliveryActions = [
  'CreateLogDelivery',
  'DeleteLogDelivery',
  'DescribeLogGroups',
  'DescribeResourcePolicies',
  'GetLogDelivery',
  'ListLogDeliveries',
  'PutResourcePolicy',
  'UpdateLogDelivery',
].map((action) => `logs:${action}`);

const tracingActions = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
const samplingActions = ['xray:GetSamplingRules', 'xray:GetSamplingTargets'];

/** Permissions that an event source mapping needs (Lambda Developer Guide, "Configuring the execution role for SQS"). */
const pollingActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/**
 * Checks the calls that AWS makes by itself under the template's roles: logs, traces and polling.
 *
 * @throws Error if AWS would not create the state machine or the event source mapping
 */
export function checkPlatformAccess(
  plan: StagePlan,
  control: AccessControl,
  onDenied: (message: string) => void,
): void {
  for (const { roleArn, requests, isRequired } of platformCalls(plan)) {
    const denial = control.check({ roleArn }, requests);
    if (denial === undefined) continue;
    if (isRequired) throw new Error(`${denial.message}. AWS rejects this template during the deployment.`);
    onDenied(denial.message);
  }
}

function platformCalls(plan: StagePlan): PlatformCall[] {
  const { functions, stateMachines, queueMappings } = plan;
  const logs = functions.flatMap(({ roleArn, logGroup }) =>
    logGroup === undefined ? [] : [{ roleArn, requests: requestsToLog(logGroup), isRequired: false }],
  );
  const tracing = [
    ...functions.map((each) => ({ ...each, actions: tracingActions })),
    ...stateMachines.map((each) => ({ ...each, actions: [...tracingActions, ...samplingActions] })),
  ];
  const traces = tracing
    .filter(({ isTraced }) => isTraced)
    .map(({ roleArn, actions }) => ({ roleArn, requests: requestsOn('*', actions), isRequired: false }));
  const machineLogs = stateMachines
    .filter(({ isLogged }) => isLogged)
    .map(({ roleArn }) => ({ roleArn, requests: requestsOn('*', logDeliveryActions), isRequired: true }));
  const polling = queueMappings.flatMap(({ functionName, queueArn }) => {
    const poller = functions.find(({ name }) => name === functionName);
    return poller
      ? [{ roleArn: poller.roleArn, requests: requestsOn(queueArn, pollingActions), isRequired: true }]
      : [];
  });
  return [...logs, ...traces, ...machineLogs, ...polling, ...taskCalls(plan)];
}

/**
 * What a state machine needs to learn of the end of its tasks, and to stop them (Step Functions Developer Guide, "IAM
 * policies for Amazon ECS").
 */
const taskEventActions = ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'];
const taskEventRule = 'rule/StepFunctionsGetEventsForECSTaskRule';

/** What ECS needs to start a container (Amazon ECS Developer Guide, "Task execution IAM role"). */
const pullActions = ['ecr:BatchCheckLayerAvailability', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchGetImage'];

/** The calls of Step Functions and ECS around Fargate tasks. Without them a task does not start, or its end stays unknown. */
function taskCalls({ stateMachines, taskDefinitions }: StagePlan): PlatformCall[] {
  const runners = stateMachines.filter(({ definition }) => definition.includes('ecs:runTask.sync'));
  const machines = runners.map(({ roleArn, definition }) => {
    const [, cluster = ''] = /:cluster\/([\w-]+)/.exec(definition) ?? [];
    return {
      roleArn,
      requests: [
        ...requestsOn(arn('events', taskEventRule), taskEventActions),
        ...['ecs:StopTask', 'ecs:DescribeTasks'].map((action) => ({
          action,
          resourceArn: arn('ecs', `task/${cluster}/0123456789abcdef`),
          context: { 'ecs:cluster': arn('ecs', `cluster/${cluster}`) },
        })),
      ],
      isRequired: true,
    };
  });
  const tasks = taskDefinitions.map(({ executionRoleArn: roleArn, logGroup, imageRepository }) => ({
    roleArn,
    requests: [
      ...requestsOn('*', ['ecr:GetAuthorizationToken']),
      ...requestsOn(arn('ecr', `repository/${imageRepository}`), pullActions),
      ...requestsToLog(logGroup),
    ],
    isRequired: true,
  }));
  return [...machines, ...tasks];
}

function requestsToLog(logGroup: string): AccessRequest[] {
  const stream = arn('logs', `log-group:${logGroup}:log-stream:local`);
  return requestsOn(stream, ['logs:CreateLogStream', 'logs:PutLogEvents']);
}

function requestsOn(resourceArn: string, actions: readonly string[]): AccessRequest[] {
  return actions.map((action) => ({ action, resourceArn }));
}
