import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf, theOnly } from '../builders/template/template-resources.ts';

const network = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d', 'subnet-1a1b2c3d'] };
const stageWith = (fargate: object) => synthesizedStage({ settings: { fargate: { ...network, ...fargate } } });
const { service } = stageWith({ vcpus: 8, storageGb: 150, maxHours: 5 });

type Definition = {
  TimeoutSeconds: number;
  States: { RunTask: { TimeoutSeconds: number; Parameters: Record<string, unknown>; Retry: unknown } };
};

function runTaskOf(template: typeof service): Definition {
  const machines = resourcesOf(template, 'AWS::StepFunctions::StateMachine') as {
    StateMachineName: string;
    DefinitionString: string;
  }[];
  const machine = machines.find(({ StateMachineName: name }) => name === 'media-jobs-test-fargate-transcode');
  return JSON.parse(machine?.DefinitionString ?? '');
}

it('a stage has Fargate tasks only with the setting', () => {
  const byDefault = JSON.stringify(synthesizedStage().service);
  expect(byDefault).not.toMatch(/AWS::ECS|AWS::EC2|FARGATE/i);
});

describe('a Fargate task', () => {
  const task = theOnly(service, 'AWS::ECS::TaskDefinition') as {
    ContainerDefinitions: { Image: unknown; Environment: { Name: string; Value: unknown }[] }[];
  };
  const [container] = task.ContainerDefinitions;

  it('has the processors, the memory and the disk of the setting', () => {
    expect(task).toMatchObject({
      Cpu: '8192',
      Memory: '16384',
      EphemeralStorage: { SizeInGiB: 150 },
      NetworkMode: 'awsvpc',
    });
    const environment = Object.fromEntries(container?.Environment.map(({ Name, Value }) => [Name, Value]) ?? []);
    expect(environment).toMatchObject({ FARGATE_VCPUS: '8', FARGATE_MEMORY_MB: '16384', FARGATE_MAX_SECONDS: '18000' });
  });

  it('runs the image of the workers, by its own program, with credentials that its children cannot read', () => {
    const [lambda] = resourcesOf(service, 'AWS::Lambda::Function').filter(({ PackageType }) => PackageType === 'Image');
    expect(container?.Image).toBeDefined();
    expect(container?.Image).toEqual((lambda as { Code?: { ImageUri: unknown } } | undefined)?.Code?.ImageUri);
    expect(container).toMatchObject({
      EntryPoint: ['sh', '/var/task/start.sh', 'node', '--require=/var/task/take-credentials.cjs'],
      Command: ['/var/task/fargate-task.cjs'],
      User: '1000:1000',
      StopTimeout: 120,
    });
    // An init process would keep the path of the credentials in its environment.
    expect(container).not.toHaveProperty('LinuxParameters.InitProcessEnabled', true);
  });

  it('accepts no connections', () => {
    expect(theOnly(service, 'AWS::EC2::SecurityGroup')).toMatchObject({ VpcId: network.vpcId });
    expect(theOnly(service, 'AWS::EC2::SecurityGroup')).not.toHaveProperty('SecurityGroupIngress');
  });
});

describe('the state machine fargate-transcode', () => {
  it('runs the task in the subnets, with a public address, for the configured time and that of its start', () => {
    const { TimeoutSeconds, States } = runTaskOf(service);
    expect(States.RunTask).toMatchObject({
      Resource: 'arn:${Partition}:states:::ecs:runTask.sync',
      TimeoutSeconds: 5.5 * 3600,
      Parameters: {
        LaunchType: 'FARGATE',
        NetworkConfiguration: { AwsvpcConfiguration: { Subnets: network.subnetIds, AssignPublicIp: 'ENABLED' } },
      },
    });
    expect(TimeoutSeconds).toBe(29.5 * 3600);
  });

  it('uses Spot capacity and private subnets by setting', () => {
    const { Parameters } = runTaskOf(stageWith({ spot: true, publicAddress: false }).service).States.RunTask;
    expect(Parameters).toMatchObject({
      CapacityProviderStrategy: [{ CapacityProvider: 'FARGATE_SPOT', Weight: 1 }],
      NetworkConfiguration: { AwsvpcConfiguration: { AssignPublicIp: 'DISABLED' } },
    });
    expect(Parameters).not.toHaveProperty('LaunchType');
  });

  it('retries a start that fails, with delays of up to five minutes', () => {
    const delays = { IntervalSeconds: 15, BackoffRate: 2, MaxDelaySeconds: 300, JitterStrategy: 'FULL' };
    expect(runTaskOf(service).States.RunTask.Retry).toEqual([
      expect.objectContaining({ ...delays, MaxAttempts: 600 }),
      { ErrorEquals: ['ECS.InvalidParameterException'], ...delays, MaxAttempts: 10 },
    ]);
  });

  it('has an alarm for tasks that do not start', () => {
    service.hasResourceProperties('AWS::CloudWatch::Alarm', { AlarmName: 'media-jobs-test-fargate-failures' });
  });
});

it('the transcoder and the API know the tasks: their limits, their price and their state machine', () => {
  for (const [name, variable] of [
    ['transcode', 'FARGATE_STATE_MACHINE_ARN'],
    ['reconcile', 'FARGATE_STATE_MACHINE_ARN'],
  ]) {
    service.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: `media-jobs-test-${name}`,
      Environment: { Variables: Match.objectLike({ [variable ?? '']: Match.anyValue() }) },
    });
  }
  const fargate = { vcpus: 8, memoryMb: 16_384, storageGb: 150, hasPublicAddress: true };
  service.hasResourceProperties('AWS::Lambda::Function', {
    FunctionName: 'media-jobs-test-transcode',
    Environment: {
      Variables: {
        PRICED_STAGE: Match.serializedJson(Match.objectLike({ fargate })),
        PRICED_WORKERS: Match.serializedJson(Match.objectLike({ fargate: { ...fargate, maxHours: 5 } })),
      },
    },
  });
});

it.each([
  [{ vcpus: 3 }, 'fargate.vcpus'],
  [{ subnetIds: [] }, 'fargate.subnetIds'],
  [{ vpcId: 'default' }, 'fargate.vpcId'],
])('the setting %j is rejected by its name', (setting, name) => {
  expect(() => readSettings({ test: { fargate: { ...network, ...setting } } }, 'test')).toThrow(name);
});

/** What AWS bills by use alone, or not at all. */
const freeWhenIdle = ['AWS::StepFunctions::StateMachine', 'AWS::IAM::Role', 'AWS::IAM::Policy', 'AWS::Logs::LogGroup'];

it('a pool adds nothing to an idle stage that costs anything', () => {
  const resourcesIn = ({ service: template }: typeof withPool) =>
    template.toJSON().Resources as Record<string, { Type: string }>;
  const withPool = stageWith({ pool: {} });
  const without = resourcesIn({ ...withPool, service });
  const added = Object.entries(resourcesIn(withPool)).filter(([id]) => !(id in without));
  expect(added.map(([, { Type }]) => Type)).toContain('AWS::StepFunctions::StateMachine');
  expect(added.filter(([, { Type }]) => !freeWhenIdle.includes(Type))).toEqual([]);
});
