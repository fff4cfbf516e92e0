import type { Assembly } from './assembly.ts';
import type { FoundResource } from './find-resources.ts';
import { findImage } from './function-code.ts';
import type { taskDefinition } from './resources/ecs.ts';

export type TaskDefinitionPlan = {
  arn: string;
  name: string;
  /** Of the program, and of what ECS does for it: its image and its log. */
  taskRoleArn: string;
  executionRoleArn: string;
  logGroup: string;
  containerName: string;
  /** The repository of the image in ECR. */
  imageRepository: string;
  /** Build folder of the image. */
  directory: string;
  /** Entry point and arguments, with paths in the image. */
  command: readonly string[];
  environment: Record<string, string>;
  memoryMb: number;
  storageMb: number;
  /** Between SIGTERM and SIGKILL. */
  stopSeconds: number;
};

export function taskDefinitionPlan(
  { location, properties, ref }: FoundResource<typeof taskDefinition.properties>,
  assembly: Assembly,
): TaskDefinitionPlan {
  const [container] = properties.ContainerDefinitions;
  return {
    arn: ref,
    name: /task-definition\/(.+):\d+$/.exec(ref)?.[1] ?? ref,
    taskRoleArn: properties.TaskRoleArn,
    executionRoleArn: properties.ExecutionRoleArn,
    logGroup: container.LogConfiguration.Options['awslogs-group'],
    containerName: container.Name,
    imageRepository: /\/([^/:]+):[^/]*$/.exec(container.Image)?.[1] ?? '',
    directory: findImage(assembly, container.Image, { ...location, property: 'ContainerDefinitions.0.Image' }),
    command: [...container.EntryPoint, ...container.Command],
    environment: Object.fromEntries(container.Environment.map(({ Name, Value }) => [Name, Value])),
    memoryMb: properties.Memory,
    storageMb: properties.EphemeralStorage.SizeInGiB * 1024,
    stopSeconds: container.StopTimeout,
  };
}

/** The task definition that `TaskDefinition` of RunTask names. */
export function findTaskDefinition(
  definitions: readonly TaskDefinitionPlan[],
  familyOrArn: string,
): TaskDefinitionPlan | undefined {
  return definitions.find(({ arn, name }) => familyOrArn === arn || familyOrArn === name);
}
