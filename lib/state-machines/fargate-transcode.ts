import { poolClaimSeconds } from '../../core/jobs/job-queue.ts';
import type { PoolCapacity } from '../../core/jobs/queues.ts';
import { poolTask, taskDownloadBytes } from '../../core/pricing/fargate-computer.ts';
import type { FargateSettings, PoolSettings } from '../settings/fargate.ts';

/** The name of the container, for the overrides of its environment. */
export const containerName = 'worker';

/** Time for the start of a task besides that for its job: its network interface, the download of the image. */
const startSeconds = 30 * 60;

const daySeconds = 24 * 3600;

type TaskSettings = Pick<FargateSettings, 'subnetIds' | 'publicAddress' | 'maxHours'>;

/** Environment variables of a task; a name that ends with `.$` has a path in the input. */
type Variables = readonly object[];

/**
 * The state machine that runs one job as a Fargate task, in Amazon States Language (JSONPath). Its input is a
 * `DelegatedJobInput`. The deployment replaces `${Partition}`, `${Cluster}`, `${TaskDefinition}` and `${SecurityGroup}`.
 *
 * A start that fails, for capacity or the quota of vCPUs, is retried for a day: nothing has run then. A task that fails or
 * is killed fails the execution; reconcile requeues its job, which has an attempt of its own.
 */
export function fargateTranscodeDefinition({ spot, ...settings }: TaskSettings & Pick<FargateSettings, 'spot'>) {
  const runTask = taskState(settings, { spot, environment, timeoutSeconds: settings.maxHours * 3600 + startSeconds });
  return {
    Comment: 'Runs one job as a Fargate task',
    StartAt: 'RunTask',
    TimeoutSeconds: runTask.TimeoutSeconds + daySeconds,
    States: { RunTask: { ...runTask, Retry: [retryStart, retryNetworkLookup] } },
  };
}

/** The size of a task of the pool, in place of that of a task for one job. */
const poolSize = {
  Cpu: String(poolTask.vcpus * 1024),
  Memory: String(poolTask.memoryMb),
  EphemeralStorage: { SizeInGiB: poolTask.storageGb },
};

const poolVariables = [
  { Name: 'FARGATE_VCPUS', Value: String(poolTask.vcpus) },
  { Name: 'FARGATE_MEMORY_MB', Value: String(poolTask.memoryMb) },
  { Name: 'MAX_DOWNLOAD_BYTES', Value: String(taskDownloadBytes(poolTask.storageGb)) },
];

/**
 * The state machine that runs a task of the pool, without input. A start in Spot capacity is retried for a day, or for a few
 * minutes where the pool falls back to capacity on demand.
 */
export function fargatePoolDefinition({ pool, ...settings }: TaskSettings & { pool: PoolSettings }) {
  const timeoutSeconds = poolClaimSeconds + settings.maxHours * 3600 + startSeconds;
  const stateOf = (capacity: PoolCapacity) => {
    const variables = [{ Name: 'POOL_CAPACITY', Value: capacity }, ...poolVariables];
    const state = taskState(settings, { spot: capacity === 'spot', environment: variables, timeoutSeconds });
    Object.assign(state.Parameters.Overrides, poolSize);
    return state;
  };
  const fallsBack = pool.fallback === 'on-demand';
  const { ErrorEquals } = retryStart;
  return {
    Comment: 'Runs a task that processes economy jobs',
    StartAt: 'RunSpotTask',
    TimeoutSeconds: 2 * timeoutSeconds + daySeconds,
    States: {
      RunSpotTask: {
        ...stateOf('spot'),
        Retry: [fallsBack ? { ...retryStart, MaxAttempts: 5 } : retryStart, retryNetworkLookup],
        ...(fallsBack && { Catch: [{ ErrorEquals, ResultPath: null, Next: 'RunTaskOnDemand' }] }),
      },
      ...(fallsBack && { RunTaskOnDemand: { ...stateOf('on-demand'), Retry: [retryStart, retryNetworkLookup] } }),
    },
  };
}

/** Runs a task until it ends. */
function taskState(
  { subnetIds, publicAddress }: TaskSettings,
  { spot, environment, timeoutSeconds }: { spot: boolean; environment: Variables; timeoutSeconds: number },
) {
  return {
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
    // The description of the task.
    ResultPath: null,
    End: true,
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
const retryNetworkLookup = { ErrorEquals: ['ECS.InvalidParameterException'], ...startDelays, MaxAttempts: 10 };
