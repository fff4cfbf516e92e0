import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { STSClient } from '@aws-sdk/client-sts';
import type { Emulator } from '@media-jobs/local-stage/emulators';
import { clientOptions, emulatorTraffic, type Sts, startS3, startSts } from '@media-jobs/local-stage/emulators';
import { permissionGuard } from '@media-jobs/local-stage/permissions';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';
import { assumeJobRole, assumeRole } from '../../../adapters/sts/assume-role.ts';
import { trustPolicy } from '../../../core/storage/external-id.ts';
import type { StorageProvider } from '../../../core/storage/provider.ts';
import { sessionPolicy, sessionPolicyText } from '../../../core/storage/session-policy.ts';
import { aBucket } from '../../builders/storage/a-bucket.ts';

const roleArn = 'arn:aws:iam::111122223333:role/results';
const externalId = 'local-of-the-owner';
const trustedStage = { accountId: '000000000000', partition: 'aws', namePrefix: 'media-jobs-local' };

const ownRole = 'arn:aws:iam::000000000000:role/media-jobs-local-job';
const opener = 'arn:aws:iam::000000000000:role/media-jobs-local-open-job';
const trustOfOwnRole = [
  { Effect: 'Allow' as const, Action: ['sts:AssumeRole', 'sts:TagSession'], Principal: { AWS: opener } },
  { Effect: 'Allow' as const, Action: 'sts:AssumeRole', Principal: { AWS: `${opener}-without-tags` } },
];
const noPolicies = { name: 'job', statements: [] };

let caller: string;
let s3: Emulator;
let sts: Sts;
let client: STSClient;

beforeAll(async () => {
  const findRole = (arn: string) => (arn === ownRole ? { ...noPolicies, arn, trust: trustOfOwnRole } : undefined);
  const guard = { ...permissionGuard(), roleOf: () => caller, findRole };
  s3 = await startS3(await aTemporaryFolder(), emulatorTraffic(), guard);
  sts = await startSts(emulatorTraffic(), guard);
  for (const { stop } of [s3, sts]) afterUse(stop);
  await aBucket(s3.endpoint, 'results');
  await aBucket(s3.endpoint, 'payroll');
  sts.addRole({
    roleArn,
    trustPolicy: trustPolicy(externalId, trustedStage),
    // More than the service needs.
    policy: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] },
  });
  client = new STSClient({ ...clientOptions(sts.endpoint), maxAttempts: 1 });
  afterUse(() => client.destroy());
});

const provider = { bucket: 'results', prefix: 'videos/', region: 'us-east-1' } as StorageProvider;

/** Credentials as the service requests them, with another caller or external id if one is named. */
function assume(request: { externalId?: string; role?: string; policy?: string } = {}) {
  caller = `arn:aws:iam::000000000000:role/${request.role ?? 'media-jobs-local-transcode'}`;
  const { policy = sessionPolicyText(provider, 'aws') } = request;
  return assumeRole(
    { here: client, everywhere: client },
    { roleArn, externalId: request.externalId ?? externalId, policy },
  );
}

const open = (credentials: Awaited<ReturnType<typeof assume>>) =>
  new S3Client({ ...clientOptions(s3.endpoint), credentials, forcePathStyle: true, maxAttempts: 1 });

describe('a role of another account', () => {
  it.each([
    ['another external id', { externalId: 'local-of-another-owner' }],
    ['a role that is not of the stage', { role: 'media-jobs-production-transcode' }],
  ])('is not assumed with %s', async (_, request) => {
    await expect(assume(request)).rejects.toMatchObject({ code: 'AccessDenied', status: 403 });
  });

  it('gives the service its bucket and prefix only, although the role may do everything', async () => {
    const session = open(await assume());
    const put = (Bucket: string, Key: string) => session.send(new PutObjectCommand({ Bucket, Key, Body: 'text' }));
    const list = (Prefix?: string) => session.send(new ListObjectsV2Command({ Bucket: 'results', Prefix }));
    const get = (Key: string) => session.send(new GetObjectCommand({ Bucket: 'results', Key }));
    const denied = { name: 'AccessDenied' };
    await put('results', 'videos/a.txt');
    expect(await (await get('videos/a.txt')).Body?.transformToString()).toBe('text');
    expect((await list('videos/')).KeyCount).toBe(1);
    await expect(put('results', 'private/a.txt')).rejects.toMatchObject(denied);
    await expect(get('private/a.txt')).rejects.toMatchObject(denied);
    await expect(list()).rejects.toMatchObject(denied);
    await expect(put('payroll', 'videos/a.txt')).rejects.toMatchObject(denied);
    session.destroy();
  });

  it.each(['видео/', '映像🎬/', 'été/'])('gives the service the prefix %s', async (prefix) => {
    const session = open(await assume({ policy: sessionPolicyText({ ...provider, prefix }, 'aws') }));
    await session.send(new PutObjectCommand({ Bucket: 'results', Key: `${prefix}a.txt`, Body: 'text' }));
    const other = new PutObjectCommand({ Bucket: 'results', Key: 'videos/a.txt', Body: 'text' });
    await expect(session.send(other)).rejects.toMatchObject({ name: 'AccessDenied' });
    session.destroy();
  });

  it.each([
    ['is longer than AWS accepts', sessionPolicyText({ ...provider, prefix: '$'.repeat(200) }, 'aws')],
    ['has characters outside Latin-1', JSON.stringify(sessionPolicy({ ...provider, prefix: 'видео/' }, 'aws'))],
  ])('is not assumed with a session policy that %s', async (_, policy) => {
    await expect(assume({ policy })).rejects.toMatchObject({ code: 'ValidationError', status: 400 });
  });
});

it.each([
  ['by whom it trusts', opener, undefined],
  ['by nobody else', 'arn:aws:iam::000000000000:role/media-jobs-local-transcode', 'AccessDenied'],
  ['with tags only by whom it trusts with them', `${opener}-without-tags`, 'AccessDenied'],
])('a role of the template is assumed %s', async (_, principal, error) => {
  caller = principal;
  const assumed = assumeJobRole(client, ownRole, {
    ownerId: 'ada',
    jobId: '1',
    retriedJobId: undefined,
    keyJobId: undefined,
  });
  expect(
    await assumed.then(
      () => undefined,
      ({ name }) => name,
    ),
  ).toBe(error);
});
