// @module-tag jobs
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListExecutionsCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import { beforeAll, expect, it } from 'vitest';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { withStageTable } from '../../lib/local/stage-table.ts';
import { aProcessingJob } from '../builders/jobs/jobs.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

const lease = { ownerId: 'ada', jobId: '01900000-0000-7000-8000-000000000001', leaseId: 'lease-1' };
const otherJob = '01900000-0000-7000-8000-000000000002';
const openJob = 'media-jobs-local-open-job';

let running: RunningStage;
let credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string };

beforeAll(async () => {
  running = await aRunningStage();
  const job = { ...aProcessingJob(), ...lease };
  await withStageTable(running.stage, (client, name) => jobTable(client, name).write({ job, guard: { absent: true } }));
  credentials = (await opened(lease)).credentials;
}, 120_000);

async function opened(held: typeof lease) {
  const result = await running.stage.invoke(openJob, { lease: held });
  if (!result.ok) throw new Error(result.error.errorMessage);
  const { credentials: { expiration: _, ...found } = {}, ...answer } = JSON.parse(result.payload) ?? {};
  return 'job' in answer ? { ...answer, credentials: found } : null;
}

it('a lease that is not that of the record opens no job', async () => {
  expect(await opened({ ...lease, leaseId: 'another' })).toBeNull();
  expect(await opened({ ...lease, ownerId: 'another' })).toBeNull();
});

it('the credentials of a job reach what is its own, and nothing of others', async () => {
  const { stage } = running;
  const [TableName, Bucket] = [stage.resources.tables[0] ?? '', stage.resources.buckets[0] ?? ''];
  const client = { credentials, maxAttempts: 1 };
  const dynamo = new DynamoDBClient({ ...clientOptions(stage.endpoints.dynamodb), ...client });
  const s3 = new S3Client({ ...clientOptions(stage.endpoints.s3), ...client, forcePathStyle: true });
  const kms = new KMSClient({ ...clientOptions(stage.endpoints.kms), ...client });
  const sqs = new SQSClient({ ...clientOptions(stage.endpoints.sqs), ...client });
  const sfn = new SFNClient({ ...clientOptions(stage.endpoints.sfn), ...client });
  const sts = new STSClient({ ...clientOptions(stage.endpoints.sts), ...client });
  const lambda = new LambdaClient({ ...clientOptions(stage.endpoints.lambda), ...client });
  const KeyId = 'alias/media-jobs-local-secrets';
  const secret = (EncryptionContext: Record<string, string>) => ({ KeyId, EncryptionContext });
  const key = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });
  const item = (pk: string, sk = `JOB#${lease.jobId}`) => ({ TableName, Key: key(pk, sk) });
  const put = (pk: string) => new PutItemCommand({ TableName, Item: key(pk, 'JOB#1') });
  const query = (pk: string, IndexName?: string) =>
    new QueryCommand({
      TableName,
      IndexName,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': IndexName === undefined ? 'pk' : `${IndexName}Partition` },
      ExpressionAttributeValues: { ':pk': { S: pk } },
    });
  const object = (Key: string) => ({ Bucket, Key });
  const QueueUrl = `${stage.endpoints.sqs}/000000000000/media-jobs-local-transcode`;
  const stateMachineArn = stage.resources.stateMachines[0] ?? '';

  const { Item } = await dynamo.send(new GetItemCommand(item(`OWNER#${lease.ownerId}`)));
  expect(Item).toBeDefined();
  const file = `jobs/${lease.jobId}/1/output.mp4`;
  await s3.send(new PutObjectCommand({ ...object(file), Body: 'own' }));
  expect((await s3.send(new GetObjectCommand(object(file)))).$metadata.httpStatusCode).toBe(200);

  const attempts: Record<string, () => Promise<unknown>> = {
    'item of another owner': () => dynamo.send(new GetItemCommand(item('OWNER#bob'))),
    'item of an owner with a longer id': () => dynamo.send(new GetItemCommand(item('OWNER#adam'))),
    'settings of another owner': () => dynamo.send(new GetItemCommand(item('OWNER#bob', 'SETTINGS'))),
    'log of another owner': () => dynamo.send(new GetItemCommand(item(`OWNER#bob#${otherJob}`, 'LOG#1'))),
    'API key by hash': () => dynamo.send(new GetItemCommand(item('KEYHASH#0', 'KEY'))),
    'API keys of an owner': () => dynamo.send(query('KEYS#ada')),
    'salt of owners': () => dynamo.send(new GetItemCommand(item('OWNER_SALT', 'OWNER_SALT'))),
    'items of another owner': () => dynamo.send(query('OWNER#bob')),
    'several items': () =>
      dynamo.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [key('a', 'b')] } } })),
    'whole table': () => dynamo.send(new ScanCommand({ TableName })),
    'due work': () => dynamo.send(query('job#0', 'due')),
    'write to another owner': () => dynamo.send(put('OWNER#bob')),
    'write of an API key': () => dynamo.send(put('KEYHASH#0')),
    'update of another owner': () => dynamo.send(new UpdateItemCommand(item('OWNER#bob'))),
    'output of another job': () => s3.send(new GetObjectCommand(object(`jobs/${otherJob}/1/output.mp4`))),
    'work file of another job': () => s3.send(new GetObjectCommand(object(`work/${otherJob}/plan`))),
    'upload of another owner': () => s3.send(new GetObjectCommand(object('uploads/bob/film'))),
    'upload of an owner with a longer id': () => s3.send(new GetObjectCommand(object('uploads/adam/film'))),
    'write to another job': () => s3.send(new PutObjectCommand({ ...object(`jobs/${otherJob}/1/a`), Body: 'a' })),
    'write beside the folders': () => s3.send(new PutObjectCommand({ ...object('index.html'), Body: 'a' })),
    'removal of a file of another job': () => s3.send(new DeleteObjectCommand(object(`jobs/${otherJob}/1/a`))),
    'secret of another owner': () =>
      kms.send(
        new DecryptCommand({ ...secret({ ownerId: 'bob', storageProviderId: '1' }), CiphertextBlob: Buffer.from('a') }),
      ),
    'content key of another job': () =>
      kms.send(
        new DecryptCommand({ ...secret({ ownerId: 'ada', jobId: otherJob }), CiphertextBlob: Buffer.from('a') }),
      ),
    'secret of its own owner': () =>
      kms.send(
        new DecryptCommand({ ...secret({ ownerId: 'ada', storageProviderId: '1' }), CiphertextBlob: Buffer.from('a') }),
      ),
    'a new secret': () =>
      kms.send(
        new EncryptCommand({ ...secret({ ownerId: 'ada', storageProviderId: '1' }), Plaintext: Buffer.from('a') }),
      ),
    'message of the queue': () => sqs.send(new ReceiveMessageCommand({ QueueUrl })),
    'message to the queue': () => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' })),
    'an execution': () => sfn.send(new StartExecutionCommand({ stateMachineArn })),
    'list of executions': () => sfn.send(new ListExecutionsCommand({ stateMachineArn })),
    'another session of the role': () => {
      const RoleArn = 'arn:aws:iam::000000000000:role/media-jobs-local-transcode';
      return sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'other' }));
    },
    'role of a storage provider': () => {
      const RoleArn = 'arn:aws:iam::111122223333:role/results';
      return sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'other', ExternalId: 'local-ada' }));
    },
    'another job of open-job': () =>
      lambda.send(new InvokeCommand({ FunctionName: openJob, Payload: Buffer.from('{}') })),
  };
  const reached: string[] = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    const error = await attempt().then(
      () => undefined,
      (cause: Error) => cause.name,
    );
    if (!/^AccessDenied(Exception)?$/.test(error ?? '')) reached.push(`${name}: ${error ?? 'reached'}`);
  }
  expect(reached).toEqual([]);
  expect(Object.keys(attempts)).toHaveLength(32);
  for (const each of [dynamo, s3, kms, sqs, sfn, sts, lambda]) each.destroy();
}, 60_000);
