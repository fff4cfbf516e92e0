import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LambdaServiceException } from '@aws-sdk/client-lambda';
import { aWebServer } from '@media-jobs/testing/web-server';
import { describe, expect, it } from 'vitest';
import { root } from '../../../../lib/build/paths.ts';
import { explainFailure } from '../../../../lib/operator/preflight/read-quotas.ts';

/** An environment without AWS credentials. */
const nowhere = { PATH: process.env.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };

const preflight = (env: Record<string, string>, ...flags: string[]) =>
  promisify(execFile)(process.execPath, ['lib/operator/preflight.ts', ...flags], {
    cwd: root,
    env: { ...nowhere, ...env },
  });

/** An endpoint that tells the account of the credentials, which no policy can deny, and denies every other call. */
async function anAwsWithoutPermissions(account: string): Promise<string> {
  const server = await aWebServer(({ body }, response) => {
    if (body.includes('Action=GetCallerIdentity')) {
      const result = `<GetCallerIdentityResult><Account>${account}</Account></GetCallerIdentityResult>`;
      response.end(`<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>`);
    } else {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify({ __type: 'AccessDeniedException', message: 'not allowed' }));
    }
  });
  return server.origin;
}

describe('npm run deploy:preflight', { timeout: 180_000 }, () => {
  it.each([
    [{}, 'AWS credentials are missing: set AWS_PROFILE'],
    [{ AWS_REGION: 'eu-central-1' }, 'AWS credentials are missing: set AWS_PROFILE'],
  ])('explains what to do if it cannot read the quotas: %j', async (env, sentence) => {
    await expect(preflight(env)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  it('prints the account before a call that AWS denies', async () => {
    const AWS_ENDPOINT_URL = await anAwsWithoutPermissions('123456789012');
    const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
    await expect(preflight({ ...credentials, AWS_ENDPOINT_URL, AWS_REGION: 'eu-central-1' })).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Account: 123456789012 (that of the credentials)'),
      stderr: expect.stringContaining('allow lambda:GetAccountSettings'),
    });
  });

  it.each([
    [['us-east-1'], 'The account 123456789012 has not enabled eu-south-1: run "aws account enable-region'],
    [[], 'rejects these credentials as unknown, in us-east-1 too'],
  ])('asks us-east-1 too if the region rejects the credentials: enabled %j', async (enabled, sentence) => {
    const server = await aWebServer(({ headers }, response) => {
      const isEnabled = enabled.some((region) => String(headers.authorization).includes(`/${region}/sts/`));
      const account = '<GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult>';
      if (isEnabled) return response.end(`<GetCallerIdentityResponse>${account}</GetCallerIdentityResponse>`);
      response.writeHead(403).end('<ErrorResponse><Error><Code>InvalidClientTokenId</Code></Error></ErrorResponse>');
    });
    const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
    const env = { ...credentials, AWS_ENDPOINT_URL: server.origin, AWS_REGION: 'eu-south-1' };
    await expect(preflight(env)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  it('lists the stages for an unknown one', async () => {
    await expect(preflight({}, '--stage', 'prdo')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no stage "prdo"'),
    });
  });
});

describe('an error of AWS', () => {
  const failure = (name: string) =>
    new LambdaServiceException({ name, message: 'as AWS says', $fault: 'client', $metadata: {} });

  it.each([
    ['ExpiredTokenException', 'sign in again'],
    ['InvalidClientTokenId', 'rejects these credentials as unknown'],
    ['UnrecognizedClientException', 'rejects these credentials as unknown'],
    ['AccessDeniedException', 'servicequotas:ListServiceQuotas and ssm:GetParameter'],
  ])('%s is explained, with the original message', (name, sentence) => {
    expect(explainFailure(failure(name))).toContain(sentence);
    expect(explainFailure(failure(name))).toContain('(as AWS says)');
  });

  it('without an explanation is shown unchanged', () => {
    expect(explainFailure(failure('ServiceException'))).toBe('as AWS says');
  });
});
