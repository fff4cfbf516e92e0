import type { FargateSettings } from '../settings/fargate.ts';

/** The name of the container, for the overrides of its environment. */
export const containerName = 'worker';

/** Time for the start of a task besides that for its job: its network interface, the download of the image. */
const startSeconds = 30 * 60;

const daySeconds = 24 * 3600;

/**
 * The state machine that runs one job as a Fargate task, in Amazon States Language (JSONPath). Its input is a
 * `DelegatedJobInput`. The deployment replaces `${Partition}`, `${Cluster}`, `${TaskDefinition}` and `${SecurityGroup}`.
 *
 * A start that fails, for capacity or the quota of vCPUs, is retried for a day: nothing has run then. A task that fails or
 * is killed fails the execution; reconcile requeues its job, which has an attempt of its own.
 */
export function fargateTranscodeDefinition({
  subnetIds,
  publicAddress,
  spot,
  maxHours,
}: Pick<FargateSettings, 'subnetIds' | 'publicAddress' | 'spot' | 'maxHours'>) {
  const timeoutSeconds = maxHours * 3600 + startSeconds;
  return {
    Comment: 'Runs one job as a Fargate task',
    StartAt: 'RunTask',
    TimeoutSeconds: timeoutSeconds + daySeconds,
    States: {
      RunTask: {
        Type: 'Task',
        Resource: `arn:\${Partition}:states:::ecs:runTask.sync`,
        Parameters: {
          Cluster: '${Cluster}',
          TaskDefinition: '${TaskDefinition}',
          ...(spot
            ? { CapacityProviderStrategy: [{ CapacityProvider: 'FARGATE_SPOT', Weight: 1 }] }
            : { LaunchType: 'FARGATE' }),
          NetworkConfiguration: {
            AwsvpcConfiguration: {
              Subnets: subnetIds,
              SecurityGroups: ['${SecurityGroup}'],
              AssignPublicIp: publicAddress ? 'ENABLED' : 'DISABLED',
            },
          },
          Overrides: { ContainerOverrides: [{ Name: containerName, Environment: environment }] },
        },
        TimeoutSeconds: timeoutSeconds,
        Retry: [retryStart, retryNetworkLookup],
        // The description of the task.
        ResultPath: null,
        End: true,
      },
    },
  };
}

const environment = [
  { Name: 'OWNER_ID', 'Value.$': '$.ownerId' },
  { Name: 'JOB_ID', 'Value.$': '$.jobId' },
  { Name: 'LEASE_ID', 'Value.$': '$.leaseId' },
];

/** Full jitter halves the delays. */
const startDelays = { IntervalSeconds: 15, BackoffRate: 2, MaxDelaySeconds: 300, JitterStrategy: 'FULL' };

/**
 * Errors of RunTask (Step Functions Developer Guide, "Run Amazon ECS or Fargate tasks"). A task that has run fails
 * otherwise.
 */
const retryStart = {
  ErrorEquals: ['AmazonECS.Unknown', 'ECS.AmazonECSException', 'ECS.ServerException', 'ECS.SdkClientException'],
  ...startDelays,
  // A day. The time-out of the execution bounds the retries too.
  MaxAttempts: 600,
};

/**
 * ECS returns this error if EC2 throttles its look-up of the security group or the subnets (cdklabs/construct-hub, pull
 * request 415), and also if one of them does not exist. The retries take up to half an hour, which outlasts throttling.
 */
const retryNetworkLookup = {
  ErrorEquals: ['ECS.InvalidParameterException'],
  ...startDelays,
  MaxAttempts: 10,
};
