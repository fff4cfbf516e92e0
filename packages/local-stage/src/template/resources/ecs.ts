import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { type LocalResource, resourceKind } from '../resource-kind.ts';

const notEnforced = 'not enforced here';

export const cluster = resourceKind({
  type: 'AWS::ECS::Cluster',
  nameProperty: 'ClusterName',
  properties: z.strictObject({ ClusterName: z.string().optional() }),
  ignored: { CapacityProviders: 'there is capacity for every task' },
  attributes: { Arn: ({ name }) => arn('ecs', `cluster/${name}`) },
});

const container = z.strictObject({
  Name: z.string(),
  Image: z.string(),
  Essential: z.literal(true),
  EntryPoint: z.array(z.string()),
  Command: z.array(z.string()),
  Environment: z.array(z.strictObject({ Name: z.string(), Value: z.coerce.string() })).default([]),
  StopTimeout: z.int().min(0).max(120, 'Fargate waits for at most 120 s').default(30),
  LogConfiguration: z.strictObject({
    LogDriver: z.literal('awslogs'),
    Options: z.object({ 'awslogs-group': z.string() }),
  }),
  User: z.string().optional().meta({ description: 'a task runs as the user of this stage' }),
});

const definitionArn = ({ name }: LocalResource) => arn('ecs', `task-definition/${name}:1`);

export const taskDefinition = resourceKind({
  type: 'AWS::ECS::TaskDefinition',
  nameProperty: 'Family',
  properties: z.strictObject({
    Family: z.string().optional(),
    Cpu: z.coerce.number().int(),
    Memory: z.coerce.number().int(),
    EphemeralStorage: z.strictObject({ SizeInGiB: z.int().min(21).max(200) }).default({ SizeInGiB: 21 }),
    NetworkMode: z.literal('awsvpc'),
    RequiresCompatibilities: z.tuple([z.literal('FARGATE')]),
    TaskRoleArn: z.string(),
    ExecutionRoleArn: z.string(),
    ContainerDefinitions: z.tuple([container]),
  }),
  ignored: {
    RuntimePlatform: 'a task runs on the processor of this machine',
  },
  ref: definitionArn,
  attributes: { TaskDefinitionArn: definitionArn },
});

const groupId = ({ name }: LocalResource) => `sg-${name}`;

export const securityGroup = resourceKind({
  type: 'AWS::EC2::SecurityGroup',
  nameProperty: 'GroupName',
  properties: z.strictObject({ GroupName: z.string().optional() }),
  ignored: {
    GroupDescription: 'a description',
    SecurityGroupEgress: notEnforced,
    VpcId: notEnforced,
  },
  ref: groupId,
  attributes: { GroupId: groupId },
});
