import * as z from 'zod';
import type { RunTask } from '../../ecs/tasks.ts';
import { AccessDeniedError } from '../../permissions/guard-invocations.ts';
import { parseParameters, type StateHandler, TaskError } from './state-handler.ts';

const network = z.strictObject({
  AwsvpcConfiguration: z.strictObject({
    Subnets: z.array(z.string()).min(1),
    SecurityGroups: z.array(z.string()),
    AssignPublicIp: z.enum(['ENABLED', 'DISABLED']),
  }),
});

const runParameters = z.strictObject({
  Cluster: z.string(),
  TaskDefinition: z.string(),
  LaunchType: z.literal('FARGATE').optional(),
  CapacityProviderStrategy: z.array(z.unknown()).optional(),
  NetworkConfiguration: network,
  Overrides: z.strictObject({
    Cpu: z.string().optional(),
    Memory: z.coerce.number().int().optional(),
    EphemeralStorage: z.strictObject({ SizeInGiB: z.int().min(21).max(200) }).optional(),
    ContainerOverrides: z.array(
      z.strictObject({
        Name: z.string(),
        Environment: z.array(z.strictObject({ Name: z.string(), Value: z.string() })),
      }),
    ),
  }),
});

/**
 * The handler of `ecs:runTask.sync`: runs a task and waits for its end. A container that exits with another code than 0
 * fails the state. The task is stopped with the execution, and after the time-out of the state.
 */
export function runEcsTask(run: RunTask, timeoutSeconds: number | undefined): StateHandler {
  return async (input, { signal }) => {
    const { Cluster: clusterArn, TaskDefinition: taskDefinition, Overrides } = parseParameters(runParameters, input);
    const overrides = Overrides.ContainerOverrides.map(({ Name, Environment }) => ({
      containerName: Name,
      environment: Object.fromEntries(Environment.map((variable) => [variable.Name, variable.Value])),
    }));
    const timeout = timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1000);
    const stops = AbortSignal.any([signal, ...(timeout === undefined ? [] : [timeout])]);
    const { Memory: memoryMb, EphemeralStorage: storage } = Overrides;
    const storageMb = storage && storage.SizeInGiB * 1024;
    const size = memoryMb === undefined && storage === undefined ? {} : { size: { memoryMb, storageMb } };
    const stopped = await run({ clusterArn, taskDefinition, overrides, ...size }, stops).catch((error: Error) => {
      const name = error instanceof AccessDeniedError ? 'AmazonECSException' : 'SdkClientException';
      throw new TaskError(`ECS.${name}`, error.message);
    });
    const { exitCode, reason } = stopped;
    if (timeout?.aborted) throw new TaskError('States.Timeout', 'The task timed out');
    const description = {
      Containers: [{ ExitCode: exitCode }],
      LastStatus: 'STOPPED',
      StoppedReason: reason,
    };
    if (exitCode !== 0) throw new TaskError('States.TaskFailed', description);
    return description;
  };
}
