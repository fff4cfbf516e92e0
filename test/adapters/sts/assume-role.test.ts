import { STSClient } from '@aws-sdk/client-sts';
import { aWebServer } from '@media-jobs/testing/web-server';
import { expect, it } from 'vitest';
import { describeProviderFailure } from '../../../adapters/storage/provider-error.ts';
import { assumeRole } from '../../../adapters/sts/assume-role.ts';

const assumed =
  '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>S</SecretAccessKey></Credentials></AssumeRoleResult></AssumeRoleResponse>';

/** What the service reads of a role that can be assumed in some regions only. */
async function failureOf(code: string, enabled: readonly string[]) {
  const server = await aWebServer(({ headers }, response) => {
    const [, region = ''] = /Credential=\w+\/\d+\/([\w-]+)\//.exec(String(headers.authorization)) ?? [];
    if (enabled.includes(region)) return response.end(assumed);
    response.writeHead(403).end(`<ErrorResponse><Error><Code>${code}</Code></Error></ErrorResponse>`);
  });
  const clientOf = (region: string) =>
    new STSClient({ region, endpoint: server.origin, credentials: { accessKeyId: 'A', secretAccessKey: 'S' } });
  const clients = { here: clientOf('eu-south-1'), everywhere: clientOf('us-east-1') };
  const role = { roleArn: 'arn:aws:iam::123456789012:role/media', externalId: 'id', policy: '{}' };
  return describeProviderFailure(await assumeRole(clients, role).catch((error) => error))?.reason;
}

it.each([
  ['InvalidClientTokenId', ['us-east-1'], '(403): its account must enable the region eu-south-1'],
  ['RegionDisabledException', ['us-east-1'], '(403): its account must enable the region eu-south-1'],
  ['InvalidClientTokenId', [], '(403): its trust policy must allow this service'],
  ['AccessDenied', ['us-east-1'], '(403): its trust policy must allow this service'],
])('%s of a role that can be assumed in %j is explained', async (code, enabled, sentence) => {
  expect(await failureOf(code, enabled)).toContain(sentence);
});
