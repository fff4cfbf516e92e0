import { arn } from '../aws-names.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import type { AccessControl } from './access-control.ts';
import type { AccessRequest } from './access-request.ts';

/** A call that AWS makes by itself under a role of the template. */
type PlatformCall = {
  roleArn: string;
  requests: AccessRequest[];
  /** Whether AWS refuses to create the resource without it; else what it would write is lost. */
  isRequired: boolean;
};

/** What Step Functions needs to log (Step Functions Developer Guide, "Logging using CloudWatch Logs"). */
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

/** What an event source mapping needs (Lambda Developer Guide, "Configuring the execution role for SQS"). */
const pollingActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/**
 * Checks what AWS itself does under the template's roles: logs, traces and polling.
 *
 * @throws Error where AWS would refuse to create the state machine or the event source mapping
 */
export async function checkPlatformAccess(
  plan: StagePlan,
  control: AccessControl,
  onDenied: (message: string) => void,
): Promise<void> {
  for (const { roleArn, requests, isRequired } of platformCalls(plan)) {
    const denial = await control.check({ roleArn }, requests);
    if (denial === undefined) continue;
    if (isRequired) throw new Error(`${denial.message}. AWS refuses such a template while it deploys.`);
    onDenied(denial.message);
  }
}

function platformCalls({ functions, stateMachines, queueMappings }: StagePlan): PlatformCall[] {
  const logs = functions.flatMap(({ roleArn, logGroup }) => {
    if (logGroup === undefined) return [];
    const stream = arn('logs', `log-group:${logGroup}:log-stream:local`);
    return [
      { roleArn, requests: on(stream, ['logs:CreateLogStream', 'logs:PutLogEvents']), isRequired: false },
    ];
  });
  const traces = [...functions, ...stateMachines]
    .filter(({ isTraced }) => isTraced)
    .map(({ roleArn }) => ({ roleArn, requests: on('*', tracingActions), isRequired: false }));
  const machineTraces = stateMachines
    .filter(({ isTraced }) => isTraced)
    .map(({ roleArn }) => ({
      roleArn,
      requests: on('*', ['xray:GetSamplingRules', 'xray:GetSamplingTargets']),
      isRequired: false,
    }));
  const machineLogs = stateMachines
    .filter(({ isLogged }) => isLogged)
    .map(({ roleArn }) => ({ roleArn, requests: on('*', logDeliveryActions), isRequired: true }));
  const polling = queueMappings.flatMap(({ functionName, queueArn }) => {
    const poller = functions.find(({ name }) => name === functionName);
    return poller
      ? [{ roleArn: poller.roleArn, requests: on(queueArn, pollingActions), isRequired: true }]
      : [];
  });
  return [...logs, ...traces, ...machineTraces, ...machineLogs, ...polling];
}

function on(resourceArn: string, actions: readonly string[]): AccessRequest[] {
  return actions.map((action) => ({ action, resourceArn }));
}

/** The ARN by which API Gateway names the route that invokes a function: `<api>/$default/<method>/<path>`. */
export function routeArn(apiId: string, routeKey: string): string {
  const [method = '', path = ''] = routeKey.split(' ');
  return arn('execute-api', `${apiId}/$default/${method}${method === '$default' ? '' : path}`);
}
