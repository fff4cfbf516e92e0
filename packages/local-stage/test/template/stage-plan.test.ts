import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAssembly } from '../../src/template/assembly.ts';
import { planStage, type StagePlan } from '../../src/template/stage-plan.ts';
import { type AnAssembly, anAssembly } from '../builders/an-assembly.ts';
import { endpoints } from '../builders/endpoints.ts';
import {
  aFunctionResource,
  anHttpApi,
  anImageFunctionResource,
  aRole,
  aRolePolicy,
  type Resource,
} from '../builders/resources.ts';

async function planOf(assembly: AnAssembly): Promise<StagePlan> {
  return planStage(await readAssembly(await anAssembly(assembly)), endpoints);
}

/** A stack with one function behind the API, and the given resources. */
function planWith(resources: Record<string, Resource>, rest: Partial<AnAssembly> = {}): Promise<StagePlan> {
  const base = { Fn: aFunctionResource('fn'), ...anHttpApi({ $default: 'Fn' }) };
  return planOf({ functions: { fn: '' }, stacks: { app: { resources: { ...base, ...resources } } }, ...rest });
}

const aTable = (properties: object = {}): Resource => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    ...properties,
  },
});

describe('a reference', () => {
  it('resolves to a local name', async () => {
    const plan = await planWith({
      Table: aTable({ TableName: { 'Fn::Sub': 'jobs-${AWS::AccountId}' } }),
      Queue: { Type: 'AWS::SQS::Queue' },
      Fn: aFunctionResource('fn', {
        Environment: {
          Variables: {
            TABLE: { Ref: 'Table' },
            QUEUE_URL: { Ref: 'Queue' },
            QUEUE_ARN: { 'Fn::GetAtt': ['Queue', 'Arn'] },
            REGION: { Ref: 'AWS::Region' },
          },
        },
      }),
    });
    expect(plan.functions[0]?.environment).toEqual({
      TABLE: 'jobs-000000000000',
      QUEUE_URL: 'http://127.0.0.1:2/000000000000/app-queue',
      QUEUE_ARN: 'arn:aws:sqs:us-east-1:000000000000:app-queue',
      REGION: 'us-east-1',
    });
  });

  it('to the API endpoint resolves to the local gateway', async () => {
    const url = { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] };
    const fn = aFunctionResource('fn', { Environment: { Variables: { PUBLIC_URL: url } } });
    const plan = await planWith({ Fn: fn });
    expect(plan.functions[0]?.environment).toEqual({ PUBLIC_URL: 'http://127.0.0.1:5' });
  });

  it('may use the export of another stack', async () => {
    const plan = await planOf({
      functions: { fn: '' },
      stacks: {
        app: {
          dependencies: ['data'],
          resources: {
            Fn: aFunctionResource('fn', { Environment: { Variables: { TABLE: { 'Fn::ImportValue': 'data:table' } } } }),
            ...anHttpApi({ $default: 'Fn' }),
          },
        },
        data: {
          resources: { Table: aTable({ TableName: 'jobs' }) },
          outputs: { Export: { Value: { Ref: 'Table' }, Export: { Name: 'data:table' } } },
        },
      },
    });
    expect(plan.functions[0]?.environment).toEqual({ TABLE: 'jobs' });
  });

  it('to nothing is an error with resource and property', async () => {
    const fn = aFunctionResource('fn', { Environment: { Variables: { TABLE: { Ref: 'Gone' } } } });
    await expect(planWith({ Fn: fn })).rejects.toThrow(
      'app: resource Fn of type AWS::Lambda::Function, property Environment.Variables.TABLE: there is no resource or parameter Gone',
    );
  });

  it('to an unsupported attribute is an error', async () => {
    const fn = aFunctionResource('fn', {
      Environment: { Variables: { STREAM: { 'Fn::GetAtt': ['Table', 'StreamArn'] } } },
    });
    await expect(planWith({ Fn: fn, Table: aTable() })).rejects.toThrow(
      'property Environment.Variables.STREAM: attribute StreamArn of Table (AWS::DynamoDB::Table) is not supported',
    );
  });

  it('to an ignored resource is an error', async () => {
    const fn = aFunctionResource('fn', {
      Environment: { Variables: { TOPIC: { 'Fn::GetAtt': ['Topic', 'TopicArn'] } } },
    });
    await expect(planWith({ Fn: fn, Topic: { Type: 'AWS::SNS::Topic' } })).rejects.toThrow(
      'property Environment.Variables.TOPIC: Topic is a AWS::SNS::Topic, which does not exist here',
    );
  });
});

it('a role has the statements of its inline policy, and of the managed one that CDK makes of what has no room there', async () => {
  const { Type: _, Properties } = aRolePolicy([{ Action: ['s3:GetObject'], Resource: '*' }]);
  const { PolicyName: __, ...managed } = Properties ?? {};
  const { permissions } = await planWith({
    Role: aRole,
    Policy: aRolePolicy([{ Action: ['sqs:SendMessage'], Resource: '*' }]),
    Overflow: { Type: 'AWS::IAM::ManagedPolicy', Properties: { ...managed, Description: 'Part', Path: '/' } },
  });
  expect(permissions.roles.flatMap(({ statements }) => statements.map(({ id }) => id))).toEqual([
    'Policy/0',
    'Overflow/0',
  ]);
});

it('an unsupported type is an error with the logical id', async () => {
  await expect(planWith({ Cache: { Type: 'AWS::ElastiCache::CacheCluster' } })).rejects.toThrow(
    'app: resource Cache of type AWS::ElastiCache::CacheCluster: the local stage does not support this type',
  );
});

it.each([
  ['Stream', aTable({ StreamSpecification: { StreamViewType: 'NEW_IMAGE' } }), 'StreamSpecification'],
  ['Layers', aFunctionResource('fn', { Layers: ['arn'] }), 'Layers'],
  ['Encrypted', { Type: 'AWS::SQS::Queue', Properties: { Policy: {} } }, 'Policy'],
  [
    'Versions',
    { Type: 'AWS::S3::Bucket', Properties: { VersioningConfiguration: { Status: 'Enabled' } } },
    'VersioningConfiguration',
  ],
])('an unsupported property is an error: %s', async (id, resource, property) => {
  await expect(planWith({ [id]: resource })).rejects.toThrow(
    `resource ${id} of type ${resource.Type}, property ${property}: the local stage does not support this property`,
  );
});

it.each<[string, Resource, string]>([
  [
    'a cron schedule',
    { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'cron(0 12 * * ? *)', Targets: [] } },
    'property ScheduleExpression: only rate(...) schedules run here',
  ],
  [
    'another stage than $default',
    { Type: 'AWS::ApiGatewayV2::Stage', Properties: { ApiId: 'api', StageName: 'prod' } },
    'property StageName: only the stage $default is served here',
  ],
  [
    'an express workflow',
    { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString: '{}', StateMachineType: 'EXPRESS' } },
    'property StateMachineType: only standard workflows run here',
  ],
  [
    'another runtime',
    aFunctionResource('fn', { Runtime: 'python3.14' }),
    'property Runtime: only Node.js functions run here',
  ],
  [
    'environment variables above 4 KB',
    aFunctionResource('fn', { Environment: { Variables: { SETTINGS: 'x'.repeat(4096 - 14) } } }),
    'property Environment.Variables: Lambda was unable to configure your environment variables because they ' +
      'have 4097 bytes; the limit is 4096',
  ],
  ['code that was not built', aFunctionResource('gone'), 'property Code.S3Key: the assembly has no asset gone.zip'],
])('an unsupported value is an error: %s', async (_, resource, message) => {
  await expect(planWith({ Other: resource })).rejects.toThrow(`resource Other of type ${resource.Type}, ${message}`);
});

it('a template without an API is an error', async () => {
  await expect(planOf({ stacks: { app: {} } })).rejects.toThrow('exactly one AWS::ApiGatewayV2::Api');
});

describe('a resource', () => {
  it('whose condition is false is omitted', async () => {
    const plan = await planOf({
      functions: { fn: '' },
      stacks: {
        app: {
          parameters: { Extra: { Type: 'String', Default: 'no' } },
          conditions: { HasExtra: { 'Fn::Equals': [{ Ref: 'Extra' }, 'yes'] } },
          resources: {
            Fn: aFunctionResource('fn'),
            ...anHttpApi({ $default: 'Fn' }),
            Extra: { ...aTable(), Condition: 'HasExtra' },
          },
        },
      },
    });
    expect(plan.tables).toEqual([]);
  });

  it('of an ignored type is skipped with its references', async () => {
    const plan = await planWith({
      Role: { Type: 'AWS::IAM::Role', Properties: { Description: { Ref: 'Anything' } } },
      Alarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmActions: [{ Ref: 'Anything' }] } },
    });
    expect(plan.functions).toHaveLength(1);
  });
});

it('a function has the /tmp of its template, or 512 MB', async () => {
  const large = aFunctionResource('fn', { EphemeralStorage: { Size: 10_240 } });
  const { functions } = await planWith({ Large: large });
  expect(functions.map(({ storageMb }) => storageMb)).toEqual([512, 10_240]);
});

it('a schedule invokes a function with the retries of its configuration, otherwise with those of Lambda', async () => {
  const { schedules } = await planWith({
    Sweep: aFunctionResource('fn'),
    Config: {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: {
        FunctionName: { Ref: 'Sweep' },
        Qualifier: '$LATEST',
        MaximumEventAgeInSeconds: 60,
        MaximumRetryAttempts: 0,
      },
    },
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        ScheduleExpression: 'rate(1 minute)',
        Targets: ['Sweep', 'Fn'].map((Id) => ({ Id, Arn: { 'Fn::GetAtt': [Id, 'Arn'] } })),
      },
    },
  });
  expect(schedules[0]?.targets).toMatchObject([
    { maxEventAgeSeconds: 60, maxRetries: 0 },
    { maxEventAgeSeconds: 6 * 3600, maxRetries: 2 },
  ]);
});

describe("a function's code", () => {
  it('is found by its asset key, which functions may share', async () => {
    const plan = await planWith({ Twin: aFunctionResource('fn') });
    const [one, twin] = plan.functions;
    expect(one?.name).not.toBe(twin?.name);
    expect(one?.code.directory).toBe(twin?.code.directory);
  });

  it('may be the folder of a container image', async () => {
    const plan = await planWith({ Worker: anImageFunctionResource('worker') }, { images: { worker: '' } });
    expect(plan.functions.at(-1)?.code).toMatchObject({
      packageType: 'Image',
      directory: expect.stringMatching(new RegExp(`${join('/', 'asset.worker')}$`)),
      handler: 'index.handler',
    });
  });

  it('may be one of several entry points of a container image', async () => {
    const part = anImageFunctionResource('worker', { ImageConfig: { Command: ['encode-chunk.handler'] } });
    const workers = { Worker: anImageFunctionResource('worker'), Part: part };
    const { functions } = await planWith(workers, { images: { worker: '' } });
    const [worker, encodeChunk] = functions.slice(-2).map(({ code }) => code);
    expect([worker?.handler, encodeChunk?.handler]).toEqual(['index.handler', 'encode-chunk.handler']);
    expect(encodeChunk?.directory).toBe(worker?.directory);
  });
});
