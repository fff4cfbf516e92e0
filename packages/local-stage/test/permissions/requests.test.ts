import { describe, expect, it } from 'vitest';
import { dynamoDbAccess, eventsAccess, sqsAccess, statesAccess } from '../../src/permissions/json-requests.ts';
import { s3Access } from '../../src/permissions/s3-requests.ts';

const keys = new Map([
  ['jobs', 'pk'],
  ['jobs/index/due', 'duePartition'],
]);
const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/jobs';

describe('a DynamoDB request', () => {
  it.each([
    ['GetItem', { Key: { pk: { S: 'OWNER#1' }, sk: { S: 'JOB#1' } } }],
    ['PutItem', { Item: { pk: { S: 'OWNER#1' }, sk: { S: 'JOB#1' } } }],
    [
      'Query',
      {
        KeyConditionExpression: '#pk = :owner AND begins_with(sk, :prefix)',
        ExpressionAttributeNames: { '#pk': 'pk' },
        ExpressionAttributeValues: { ':owner': { S: 'OWNER#1' }, ':prefix': { S: 'JOB#' } },
      },
    ],
  ])('%s needs permission for the table, with the partition key', (operation, body) => {
    expect(dynamoDbAccess(operation, { TableName: 'jobs', ...body }, keys)).toEqual([
      { action: `dynamodb:${operation}`, resourceArn: tableArn, context: { 'dynamodb:LeadingKeys': ['OWNER#1'] } },
    ]);
  });

  it('needs permission for the index that it reads, with the partition key of the index', () => {
    const body = {
      TableName: 'jobs',
      IndexName: 'due',
      KeyConditionExpression: 'duePartition = :shard',
      ExpressionAttributeValues: { ':shard': { S: 'DUE#0' } },
    };
    expect(dynamoDbAccess('Query', body, keys)).toEqual([
      {
        action: 'dynamodb:Query',
        resourceArn: `${tableArn}/index/due`,
        context: { 'dynamodb:LeadingKeys': ['DUE#0'] },
      },
    ]);
  });

  it('in a batch needs permission for every table, with all partition keys', () => {
    const Keys = [{ pk: { S: 'OWNER#1' } }, { pk: { S: 'OWNER#2' } }, { pk: { S: 'OWNER#1' } }];
    const writes = [
      { PutRequest: { Item: { pk: { S: 'OWNER#3' } } } },
      { DeleteRequest: { Key: { pk: { S: 'OWNER#4' } } } },
    ];
    expect(dynamoDbAccess('BatchGetItem', { RequestItems: { jobs: { Keys } } }, keys)).toMatchObject([
      { resourceArn: tableArn, context: { 'dynamodb:LeadingKeys': ['OWNER#1', 'OWNER#2'] } },
    ]);
    expect(dynamoDbAccess('BatchWriteItem', { RequestItems: { jobs: writes } }, keys)).toMatchObject([
      { resourceArn: tableArn, context: { 'dynamodb:LeadingKeys': ['OWNER#3', 'OWNER#4'] } },
    ]);
  });

  it('in a transaction needs the permission of each part, with its partition key', () => {
    const TransactItems = [
      { Put: { TableName: 'jobs', Item: { pk: { S: 'OWNER#1' } } } },
      { Update: { TableName: 'jobs', Key: { pk: { S: 'OWNER#2' } } } },
      { ConditionCheck: { TableName: 'jobs', Key: { pk: { S: 'KEYHASH#3' } } } },
    ];
    const parts = dynamoDbAccess('TransactWriteItems', { TransactItems }, keys);
    expect(parts.map(({ action, context }) => [action, context?.['dynamodb:LeadingKeys']])).toEqual([
      ['dynamodb:PutItem', ['OWNER#1']],
      ['dynamodb:UpdateItem', ['OWNER#2']],
      ['dynamodb:ConditionCheckItem', ['KEYHASH#3']],
    ]);
  });

  it.each([
    ['GetItem', { TableName: 'jobs', Key: { sk: { S: 'KEY' } } }],
    ['Query', { TableName: 'jobs', KeyConditionExpression: 'sk = :sk' }],
    ['BatchWriteItem', { RequestItems: { jobs: [{ PutRequest: { Item: {} } }] } }],
  ])('%s without a partition key is an error: a policy on partitions would allow it', (operation, body) => {
    expect(() => dynamoDbAccess(operation, body, keys)).toThrow(/partition key pk/);
  });
});

describe('an SQS request', () => {
  it('needs permission for the queue of its URL', () => {
    expect(sqsAccess('SendMessage', { QueueUrl: 'http://127.0.0.1:9/000000000000/jobs' })).toEqual([
      { action: 'sqs:SendMessage', resourceArn: 'arn:aws:sqs:us-east-1:000000000000:jobs' },
    ]);
  });

  it('in a batch needs the permission of the single operation', () => {
    expect(sqsAccess('DeleteMessageBatch', { QueueUrl: 'http://h/1/jobs' })).toMatchObject([
      { action: 'sqs:DeleteMessage' },
    ]);
  });
});

it('an EventBridge request needs permission for each bus that it names', () => {
  const Entries = ['bus', 'bus', 'other'].map((EventBusName) => ({ EventBusName, Detail: '{}' }));
  expect(eventsAccess('PutEvents', { Entries })).toEqual(
    ['bus', 'other'].map((name) => ({
      action: 'events:PutEvents',
      resourceArn: `arn:aws:events:us-east-1:000000000000:event-bus/${name}`,
    })),
  );
});

it('a Step Functions request needs permission for the machine that it starts, or the execution that it names', () => {
  const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:delivery';
  const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:delivery:wh-1';
  expect(statesAccess('StartExecution', { stateMachineArn, input: '{}' })).toEqual([
    { action: 'states:StartExecution', resourceArn: stateMachineArn },
  ]);
  expect(statesAccess('StopExecution', { executionArn })).toEqual([
    { action: 'states:StopExecution', resourceArn: executionArn },
  ]);
});

describe('an S3 request', () => {
  const access = (method: string, target: string, more: { copySource?: string; body?: string } = {}) => {
    const { pathname, searchParams: query } = new URL(target, 'http://s3');
    return s3Access({ method, path: decodeURIComponent(pathname), query, ...more }).map(
      ({ action, resourceArn }) => `${action} ${resourceArn.replace('arn:aws:s3:::', '')}`,
    );
  };

  it.each([
    ['GET', '/media/jobs/1/a.mp4', ['s3:GetObject media/jobs/1/a.mp4']],
    ['HEAD', '/media/jobs/1/a.mp4', ['s3:GetObject media/jobs/1/a.mp4']],
    ['PUT', '/media/jobs/a%20b.mp4', ['s3:PutObject media/jobs/a b.mp4']],
    ['PUT', '/media/k?partNumber=1&uploadId=u', ['s3:PutObject media/k']],
    ['POST', '/media/k?uploads', ['s3:PutObject media/k']],
    ['POST', '/media/k?uploadId=u', ['s3:PutObject media/k']],
    ['DELETE', '/media/k?uploadId=u', ['s3:AbortMultipartUpload media/k']],
    ['GET', '/media/k?uploadId=u', ['s3:ListMultipartUploadParts media/k']],
    ['DELETE', '/media/k', ['s3:DeleteObject media/k']],
    ['GET', '/media?list-type=2&prefix=jobs%2F', ['s3:ListBucket media']],
    ['GET', '/media?uploads', ['s3:ListBucketMultipartUploads media']],
  ])('%s %s needs permission for %j', (method, target, expected) => expect(access(method, target)).toEqual(expected));

  it('that copies needs permission to read the source and to write the target', () => {
    expect(access('PUT', '/media/jobs/b', { copySource: '/media/work/a' })).toEqual([
      's3:GetObject media/work/a',
      's3:PutObject media/jobs/b',
    ]);
  });

  it('that removes several objects needs permission for each', () => {
    const body = '<Delete><Object><Key>jobs/1</Key></Object><Object><Key>jobs/a&amp;b</Key></Object></Delete>';
    expect(access('POST', '/media?delete', { body })).toEqual([
      's3:DeleteObject media/jobs/1',
      's3:DeleteObject media/jobs/a&b',
    ]);
  });
});
