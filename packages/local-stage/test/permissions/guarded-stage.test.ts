import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { afterEach, expect, it } from 'vitest';
import { s3Credentials } from '../../src/emulators/s3-signature.ts';
import { roleCredentials } from '../../src/permissions/role-credentials.ts';
import { type Stage, startStage } from '../../src/stage.ts';
import { anAssembly } from '../builders/an-assembly.ts';
import { aFunctionResource, anHttpApi, aRolePolicy } from '../builders/resources.ts';

const roleArn = 'arn:aws:iam::000000000000:role/app-role';
const allowing = (Action: string[], Resource: string[]) => ({ Action, Resource });

let stage: Stage;

afterEach(() => stage.stop());

type Changes = { statements?: { Action: string[]; Resource: string[] }[]; permission?: object };

/** A stage with a bucket, and one function behind every route whose role has these statements. */
async function aGuardedStage({ statements = [], permission = {} }: Changes = {}): Promise<Stage> {
  const api = anHttpApi({ $default: 'Echo' });
  const granted = api.Permission0 ?? { Type: 'AWS::Lambda::Permission' };
  const assemblyDirectory = await anAssembly({
    functions: { echo: 'exports.handler = async () => ({ statusCode: 200, body: process.env.AWS_ACCESS_KEY_ID })' },
    stacks: {
      app: {
        resources: {
          ...api,
          Permission0: { ...granted, Properties: { ...granted.Properties, ...permission } },
          Media: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'media' } },
          Echo: aFunctionResource('echo'),
          Policy: aRolePolicy(statements),
        },
      },
    },
  });
  const options = { assemblyDirectory, dataDirectory: await aTemporaryFolder(), port: 0, log: () => undefined };
  stage = await startStage(options);
  return stage;
}

function anS3Client(credentials: { accessKeyId: string; secretAccessKey: string }): S3Client {
  return new S3Client({ endpoint: stage.endpoints.s3, region: 'us-east-1', forcePathStyle: true, credentials });
}

const putAs = (client: S3Client, Key: string) =>
  client.send(new PutObjectCommand({ Bucket: 'media', Key, Body: 'text' }));

it('a function has the credentials of its role', async () => {
  const { baseUrl } = await aGuardedStage();
  expect(await (await fetch(baseUrl)).text()).toBe(roleCredentials(roleArn).accessKeyId);
});

it('the session token of a role is as long as those of AWS', () => {
  expect(roleCredentials(roleArn).sessionToken).toHaveLength(1200);
});

it('the gateway invokes no function whose policy does not allow the route', async () => {
  const { baseUrl, permissions } = await aGuardedStage({
    permission: { SourceArn: 'arn:aws:execute-api:*:*:other/*' },
  });
  expect((await fetch(baseUrl)).status).toBe(500);
  expect(permissions().denied).toMatchObject([{ action: 'lambda:InvokeFunction' }]);
});

it('a role writes where its policy allows it, and nowhere else', async () => {
  await aGuardedStage({ statements: [allowing(['s3:PutObject'], ['arn:aws:s3:::media/jobs/*'])] });
  const client = anS3Client(roleCredentials(roleArn));
  await putAs(client, 'jobs/1');
  await expect(putAs(client, 'uploads/1')).rejects.toMatchObject({
    name: 'AccessDenied',
    message: expect.stringContaining('s3:PutObject'),
  });
});

it('an unknown access key id is rejected', async () => {
  await aGuardedStage();
  const client = anS3Client({ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' });
  await expect(putAs(client, 'jobs/1')).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
});

it('a role without its session token is rejected', async () => {
  await aGuardedStage({ statements: [allowing(['s3:PutObject'], ['arn:aws:s3:::media/*'])] });
  const { accessKeyId, secretAccessKey } = roleCredentials(roleArn);
  const client = anS3Client({ accessKeyId, secretAccessKey });
  await expect(putAs(client, 'jobs/1')).rejects.toMatchObject({ name: 'InvalidToken' });
});

it('a presigned URL can do what its signer may, when it is used', async () => {
  await aGuardedStage({ statements: [allowing(['s3:GetObject'], ['arn:aws:s3:::media/jobs/*'])] });
  await putAs(anS3Client(s3Credentials), 'jobs/1');
  await putAs(anS3Client(s3Credentials), 'uploads/1');
  const client = anS3Client(roleCredentials(roleArn));
  const get = async (Key: string) => fetch(await getSignedUrl(client, new GetObjectCommand({ Bucket: 'media', Key })));
  expect(await (await get('jobs/1')).text()).toBe('text');
  expect((await get('uploads/1')).status).toBe(403);
});

it('a page that was redirected reads by a URL that a role signed, and has no key of the operator', async () => {
  await aGuardedStage({ statements: [allowing(['s3:GetObject'], ['arn:aws:s3:::media/jobs/*'])] });
  await putAs(anS3Client(s3Credentials), 'jobs/1');
  const statusFrom = async (credentials: typeof s3Credentials, headers: Record<string, string>, method = 'GET') => {
    const command = new GetObjectCommand({ Bucket: 'media', Key: 'jobs/1' });
    return (await fetch(await getSignedUrl(anS3Client(credentials), command), { method, headers })).status;
  };
  const redirected = { origin: 'null' };
  const preflight = { ...redirected, 'access-control-request-method': 'GET' };
  expect(await statusFrom(roleCredentials(roleArn), redirected)).toBe(200);
  expect(await statusFrom(s3Credentials, {})).toBe(200);
  expect(await statusFrom(s3Credentials, redirected)).toBe(403);
  expect(await statusFrom(roleCredentials(roleArn), { origin: 'https://evil.example' })).toBe(403);
  // Answered by the rules of the bucket, of which this one has none.
  expect(await statusFrom(roleCredentials(roleArn), preflight, 'OPTIONS')).toBe(403);
  expect(stage.permissions().denied).toEqual([]);
});

it('a presigned URL that was changed is rejected', async () => {
  await aGuardedStage({ statements: [allowing(['s3:GetObject'], ['arn:aws:s3:::media/*'])] });
  await putAs(anS3Client(s3Credentials), 'jobs/1');
  await putAs(anS3Client(s3Credentials), 'jobs/2');
  const client = anS3Client(roleCredentials(roleArn));
  const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'media', Key: 'jobs/1' }));
  const answer = await fetch(url.replace('jobs/1', 'jobs/2'));
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain('SignatureDoesNotMatch');
});

it('a missing object is forbidden to a role that may not list the bucket, and unknown to one that may', async () => {
  const read = allowing(['s3:GetObject'], ['arn:aws:s3:::media/*']);
  const missing = () =>
    anS3Client(roleCredentials(roleArn)).send(new GetObjectCommand({ Bucket: 'media', Key: 'none' }));
  const first = await aGuardedStage({ statements: [read] });
  await expect(missing()).rejects.toMatchObject({ name: 'AccessDenied' });
  await first.stop();
  await aGuardedStage({ statements: [read, allowing(['s3:ListBucket'], ['arn:aws:s3:::media'])] });
  await expect(missing()).rejects.toMatchObject({ name: 'NoSuchKey' });
});
