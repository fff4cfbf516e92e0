import { describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { pascalCase } from '../../lib/names.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { allowedBy, policyOf } from '../builders/template/template-policies.ts';
import { resourcesOf } from '../builders/template/template-resources.ts';

const real = synthesizedStage({ contracts }).service;
const fixtures = synthesizedStage().service;

/** The table, with the only partitions that a statement allows. */
const owners = 'table OWNER#*';
const keys = 'table KEYS#* KEYHASH#*';
const rates = 'table RATE#*';

/** Actions without resource-level permissions. */
const nameless =
  /^(ecr:GetAuthorizationToken|xray:(Put|Get)\w+|states:SendTask(Success|Failure)|logs:(\w+LogDelivery|ListLogDeliveries|(Put|Describe)ResourceP\w+|DescribeLogGroups))$/;

describe('every role', () => {
  it('restricts each action to resources, where AWS supports it', () => {
    const nowhereInParticular = allowedBy(real)
      .filter(({ resources }) => resources.includes('*'))
      .flatMap(({ actions }) => actions);
    expect(nowhereInParticular.filter((action) => !nameless.test(action))).toEqual([]);
  });

  it('has no wildcard actions', () => {
    expect(allowedBy(real).flatMap(({ actions }) => actions.filter((action) => action.includes('*')))).toEqual([]);
  });

  it('accesses items by their partitions, and API keys only with a route that has callers or to erase an owner', () => {
    const onItems = allowedBy(real).filter(({ resources }) => resources.some((arn) => arn.endsWith('-jobs')));
    expect(onItems.length).toBeGreaterThan(contracts.length / 2);
    expect(onItems.filter(({ partitions }) => partitions.length === 0)).toEqual([]);
    const ofKeys = onItems.filter(({ partitions }) => partitions.some((pattern) => !pattern.startsWith('OWNER#')));
    const names = [...new Set(ofKeys.map(({ policy }) => policy.replace(/IdentityRole.*$/, '')))];
    const called = contracts.filter(({ callers }) => callers.length > 0);
    const functions = new Set(called.map((contract) => pascalCase(contract.function)));
    expect(names.toSorted()).toEqual([...functions, 'ReconcilerReconcile'].toSorted());
  });

  it('accesses objects by prefix of the bucket', () => {
    const objects = allowedBy(real).flatMap(({ resources }) => resources.filter((arn) => arn.includes(':s3:::')));
    expect(objects.length).toBeGreaterThan(0);
    for (const arn of objects)
      expect(arn).toMatch(
        /-media(\/((jobs|kept|uploads|work(\/batches)?)|(jobs|kept|work)\/\$\{aws:PrincipalTag\/(job|retried)\}|uploads\/\$\{aws:PrincipalTag\/owner\})\/\*)?$/,
      );
  });
});

describe('a function of the API', () => {
  it('may do what its contracts use, and authenticate its callers', () => {
    expect(policyOf(fixtures, 'CreateThing')).toEqual({
      'dynamodb:GetItem': keys,
      'dynamodb:PutItem': owners,
      'dynamodb:UpdateItem': `${keys}, ${rates}`,
      'sqs:SendMessage': 'queue',
    });
    const { 'dynamodb:Query': _, ...others } = policyOf(real, 'Submission');
    expect(others).toEqual({
      'dynamodb:GetItem': `${keys}, ${owners}`,
      'dynamodb:PutItem': owners,
      'dynamodb:UpdateItem': `${keys}, ${owners}, ${rates}`,
      'dynamodb:BatchWriteItem': owners,
      'sqs:SendMessage': 'queue',
      'kms:Encrypt': expect.stringMatching(/:key\/\*$/),
      's3:GetObject': 'jobs/*, kept/*, work/batches/*',
      'states:StartExecution': expect.stringMatching(/-batch$/),
      's3:PutObject': 'uploads/*',
      's3:ListMultipartUploadParts': 'uploads/*',
      's3:AbortMultipartUpload': 'uploads/*',
    });
  });

  it('without authentication has no permissions', () => expect(policyOf(fixtures, 'DescribeThings')).toEqual({}));

  it('has environment variables for the resources that it may use only', () => {
    const environment = (name: string) => {
      const [lambda] = Object.values(
        fixtures.findResources('AWS::Lambda::Function', { Properties: { FunctionName: `media-jobs-test-${name}` } }),
      );
      return Object.keys(lambda?.Properties.Environment.Variables).toSorted();
    };
    const everywhere = [
      'OWNER_LIMITS',
      'REACHABLE_PRIVATE_ADDRESSES',
      'STAGE',
      'TENANCY',
      'WEBHOOK_SCHEMES',
      'WORKERS',
    ];
    expect(environment('describe-things')).toEqual(everywhere);
    expect(environment('create-thing')).toEqual(
      [...everywhere, 'RATE_LIMIT', 'TABLE_NAME', 'TRANSCODE_QUEUE_URL'].toSorted(),
    );
  });
});

/** What a session of the role of one job may use, by its tags. */
const ofOwner = 'table OWNER#${aws:PrincipalTag/owner} OWNER#${aws:PrincipalTag/owner}#* OWNER##*';
const inJob = (...prefixes: string[]) =>
  prefixes.map((prefix) => `${prefix}/\${aws:PrincipalTag/${prefix === 'uploads' ? 'owner' : 'job'}}/*`).join(', ');

describe('the credentials of one job', () => {
  it('are for the items of its owner, its own files and work files, and its content keys', () => {
    expect(policyOf(fixtures, 'OpenJobTranscodeJob')).toEqual({
      'dynamodb:GetItem': ofOwner,
      'dynamodb:PutItem': ofOwner,
      'dynamodb:UpdateItem': ofOwner,
      'dynamodb:Query': expect.stringMatching(/-jobs\/index\/waiting$/),
      // jobs: files that wait for a storage provider.
      's3:GetObject': expect.stringContaining('jobs/${aws:PrincipalTag/retried}/*'),
      's3:PutObject': inJob('jobs', 'kept', 'work'),
      's3:AbortMultipartUpload': inJob('jobs', 'kept', 'work'),
      's3:DeleteObject': inJob('jobs', 'kept', 'work'),
      's3:ListBucket': 'bucket',
      'kms:Decrypt': expect.stringContaining(':key/'),
    });
    const decrypts = statementsOf('OpenJobTranscodeJob').filter(({ Action }) => Action === 'kms:Decrypt');
    expect(decrypts.map(({ Condition }) => (Condition as Record<string, object>).StringEquals)).toEqual([
      {
        'kms:EncryptionContext:ownerId': '${aws:PrincipalTag/owner}',
        'kms:EncryptionContext:jobId': '${aws:PrincipalTag/key}',
      },
    ]);
  });

  it('come from open-job alone, which claims jobs, opens storage providers and reads no file', () => {
    expect(policyOf(fixtures, 'OpenJobIdentity')).toEqual({
      'dynamodb:GetItem': owners,
      'dynamodb:PutItem': owners,
      'dynamodb:UpdateItem': owners,
      'dynamodb:Query': expect.stringMatching(/-jobs\/index\/waiting$/),
      'sqs:SendMessage': 'queue',
      'kms:Decrypt': expect.stringContaining(':key/'),
      'sts:AssumeRole': expect.stringMatching(/^OpenJobTranscodeJob, .*:role\/\*$/),
      'sts:TagSession': 'OpenJobTranscodeJob',
    });
  });

  it('may list the whole bucket: otherwise S3 answers 403 for a missing upload', () => {
    const list = statementsOf('OpenJobTranscodeJob').filter(({ Action }) => Action === 's3:ListBucket');
    expect(list).toEqual([{ Effect: 'Allow', Action: 's3:ListBucket', Resource: expect.anything() }]);
    expect(JSON.stringify(list)).toMatch(/-media"\]/);
  });
});

function statementsOf(policy: string): Record<string, unknown>[] {
  return resourcesOf(real, 'AWS::IAM::Policy')
    .filter(({ PolicyName }) => String(PolicyName).startsWith(policy))
    .flatMap(({ PolicyDocument }) => (PolicyDocument as { Statement: Record<string, unknown>[] }).Statement);
}

it('the transcoder opens jobs, delegates them, and sends messages', () => {
  expect(policyOf(fixtures, 'Transcoder')).toEqual({
    'lambda:InvokeFunction': 'OpenJobFunction',
    'sqs:SendMessage': 'DeliveriesQueue, queue',
    'states:StartExecution': 'ParallelMachine',
    'states:DescribeExecution': 'executions of parallel-transcode',
    ...pollsQueue('queue'),
  });
});

describe('with Fargate tasks', () => {
  const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
  const { service } = synthesizedStage({ contracts, settings: { fargate } });

  it('a task has the permissions of the transcoder, except for the waiting retries and executions', () => {
    const {
      'states:StartExecution': _,
      'states:DescribeExecution': __,
      ...transcoder
    } = policyOf(service, 'Transcoder');
    const polls = Object.keys(pollsQueue(''));
    const expected = Object.entries(transcoder).filter(([action]) => !polls.includes(action));
    expect(policyOf(service, 'FargateTasksTaskTaskRole')).toEqual(Object.fromEntries(expected));
  });

  it('the state machine may run each revision of the one task definition under its two roles, and stop tasks of the cluster', () => {
    expect(policyOf(service, 'FargateMachine')).toEqual({
      'ecs:RunTask': expect.stringMatching(/:task-definition\/media-jobs-test-fargate:\*$/),
      'ecs:StopTask': expect.stringMatching(/:task\/media-jobs-test-fargate\/\*$/),
      'ecs:DescribeTasks': expect.stringMatching(/:task\/media-jobs-test-fargate\/\*$/),
      'iam:PassRole': 'FargateTasksTaskExecutionRole, FargateTasksTaskTaskRole',
      'events:PutTargets': expect.stringMatching(/:rule\/StepFunctionsGetEventsForECSTaskRule$/),
      'events:PutRule': expect.stringMatching(/:rule\/StepFunctionsGetEventsForECSTaskRule$/),
      'events:DescribeRule': expect.stringMatching(/:rule\/StepFunctionsGetEventsForECSTaskRule$/),
    });
  });

  it('jobs are cancelled and recovered on both state machines', () => {
    const both = 'executions of fargate-transcode, executions of parallel-transcode';
    expect(policyOf(service, 'Jobs')['states:StopExecution']).toBe(both);
    expect(policyOf(service, 'Reconcile')['states:DescribeExecution']).toBe(both);
    expect(policyOf(service, 'Transcoder')['states:StartExecution']).toBe('FargateMachine, ParallelMachine');
  });

  it('no action is allowed on all resources where AWS supports them', () => {
    const everywhere = allowedBy(service)
      .filter(({ resources }) => resources.includes('*'))
      .flatMap(({ actions }) => actions);
    expect(everywhere.filter((action) => !nameless.test(action))).toEqual([]);
  });
});

it('access to executions of parallel-transcode allows stopping them to cancel a job, and describing them to recover one', () => {
  expect(policyOf(real, 'Jobs')['states:StopExecution']).toBe('executions of parallel-transcode');
  expect(policyOf(real, 'Reconcile')['states:DescribeExecution']).toBe('executions of parallel-transcode');
});

/** The permissions of an event source mapping, under which the function also renews and removes its message. */
const pollsQueue = (queue: string) =>
  Object.fromEntries(
    ['ReceiveMessage', 'ChangeMessageVisibility', 'GetQueueUrl', 'DeleteMessage', 'GetQueueAttributes'].map(
      (action) => [`sqs:${action}`, queue],
    ),
  );

describe('a worker of a chunked job', () => {
  it('that encodes a chunk opens its job and answers', () => {
    expect(policyOf(fixtures, 'EncodeChunk')).toEqual({
      'lambda:InvokeFunction': 'OpenJobFunction',
      'states:SendTaskSuccess': '*',
      'states:SendTaskFailure': '*',
      // A late task runs a second time.
      'sqs:SendMessage': 'EncodeChunkTasksQueue',
      ...pollsQueue('EncodeChunkTasksQueue'),
    });
  });

  it('that joins chunks opens its job, answers, and sends messages', () => {
    expect(policyOf(fixtures, 'JoinChunks')).toEqual({
      'lambda:InvokeFunction': 'OpenJobFunction',
      'sqs:SendMessage': 'DeliveriesQueue, queue',
      'states:SendTaskSuccess': '*',
      'states:SendTaskFailure': '*',
      ...pollsQueue('JoinChunksTasksQueue'),
    });
  });
});

describe('deliver-webhook', () => {
  it('takes deliveries from their queue and sends waiting ones, starts their retries, and publishes on the bus of the stage', () => {
    expect(policyOf(fixtures, 'DeliverWebhook')).toEqual({
      'dynamodb:GetItem': owners,
      'dynamodb:PutItem': owners,
      'dynamodb:UpdateItem': owners,
      'states:StartExecution': expect.stringMatching(/:stateMachine:media-jobs-test-webhook-delivery$/),
      'events:PutEvents': 'Events',
      ...pollsQueue('DeliveriesQueue'),
      'sqs:SendMessage': 'DeliveriesQueue',
    });
  });
});

describe('a state machine', () => {
  it('of chunked jobs sends tasks to the queues of their workers, and does nothing else', () => {
    expect(policyOf(fixtures, 'ParallelMachine')).toEqual({
      'sqs:SendMessage': 'EncodeChunkTasksQueue, JoinChunksTasksQueue',
    });
  });

  it('of deliveries invokes deliver-webhook, and does nothing else', () => {
    expect(policyOf(fixtures, 'DeliveryMachine')).toEqual({ 'lambda:InvokeFunction': 'DeliverWebhookFunction' });
  });
});
