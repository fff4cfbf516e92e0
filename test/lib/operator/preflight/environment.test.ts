import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { App } from 'aws-cdk-lib';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it, onTestFinished } from 'vitest';
import stages from '../../../../docs/examples/stages.json' with { type: 'json' };
import {
  checkAccount,
  checkEnvironment,
  type Environment,
  minBootstrapVersion,
} from '../../../../lib/operator/preflight/check-environment.ts';
import { readEcsRole } from '../../../../lib/operator/preflight/read-ecs-role.ts';
import {
  readAccount,
  readBootstrapVersion,
  readCdkRegion,
  readEngineArchitecture,
} from '../../../../lib/operator/preflight/read-environment.ts';
import { readSettings } from '../../../../lib/settings/read-settings.ts';
import { synthesizedStage } from '../../../builders/template/synthesized-stage.ts';

const ready: Environment = {
  account: '210987654321',
  cdkRegion: 'eu-central-1',
  sdkRegion: 'eu-central-1',
  engineArchitecture: 'x86_64',
  bootstrapVersions: { 'eu-central-1': 30 },
};

function check(values: object, changes: Partial<Environment>): string[] {
  const settings = readSettings({ dev: values }, 'dev');
  const environment = { ...ready, ...changes };
  const findings = [checkAccount(settings, environment), ...checkEnvironment(settings, environment)];
  return findings.map(({ requirement, status, advice }) => `${status} ${requirement} (${advice})`);
}

describe('a preflight of the tools', () => {
  it('passes a machine that builds for the architecture, and a bootstrapped region', () => {
    expect(check({}, {})).toEqual([
      'ok Account: 210987654321 (that of the credentials)',
      'ok Region: eu-central-1 (CDK and the AWS SDK agree)',
      'ok Architecture of the image: x86_64 (the container engine builds for it)',
      'ok Prices of eu-central-1, for the cost of jobs (read on 2025-11-04)',
      'ok CDK bootstrap in eu-central-1: version 6 (the version is 30)',
    ]);
  });

  it('reports credentials of another account than that of the stage', () => {
    const account = '123456789012';
    expect(check({ account }, { account })[0]).toBe(`ok Account: ${account} (that of the credentials)`);
    expect(check({ account }, {})[0]).toBe(
      `change Account: ${account} (the credentials are of 210987654321, whose quotas and bootstrap are compared below: use credentials of ${account})`,
    );
  });

  it.each([
    ['us-west-2', 'uses us-west-2'],
    [undefined, 'finds no region'],
  ])('reports a region of the SDK that is not that of CDK: %s', (sdkRegion, cause) => {
    expect(check({}, { sdkRegion })[1]).toBe(
      `change Region: eu-central-1 (CDK deploys there, but the AWS SDK ${cause}: set region of the stage in cdk.json, or AWS_REGION)`,
    );
    const bootstrapVersions = { 'eu-west-1': 6 };
    expect(check({ region: 'eu-west-1' }, { sdkRegion, bootstrapVersions })[1]).toContain('ok Region: eu-west-1');
  });

  it.each([
    ['arm64', 'change', 'the container engine builds for arm64: set architecture to that'],
    [
      undefined,
      'change',
      'no container engine answers: start Docker, set CDK_DOCKER=podman, or deploy with --build remote',
    ],
    ['any', 'ok', 'CodeBuild builds it'],
  ] as const)('compares the architecture of the container engine: %s', (engineArchitecture, status, advice) => {
    const [, , architecture] = check({}, { engineArchitecture });
    expect(architecture).toContain(`${status} Architecture of the image: x86_64 (${advice}`);
  });

  it.each([
    [undefined, 'the region is not bootstrapped'],
    [5, 'the version is 5'],
  ])('explains how to bootstrap: version %s', (version, found) => {
    const { account, region, edge } = stages.production;
    const bootstrapVersions = { 'eu-central-1': 6, 'us-east-1': version };
    expect(check({ account, region, edge }, { account, bootstrapVersions }).slice(4)).toEqual([
      'ok CDK bootstrap in eu-central-1: version 6 (the version is 6)',
      `change CDK bootstrap in us-east-1: version 6 (${found}: run npx cdk bootstrap aws://123456789012/us-east-1 -c stage=dev)`,
    ]);
  });

  it('bootstraps the account of the credentials for a stage without one', () => {
    expect(check({}, { bootstrapVersions: {} }).at(-1)).toContain('aws://210987654321/eu-central-1');
  });

  it.each([
    [true, 'ok', 'the account has AWSServiceRoleForECS'],
    [false, 'change', 'the account has none: run aws iam create-service-linked-role'],
    [undefined, 'unknown', 'it could not be read; if the account has none, run aws iam'],
  ] as const)('looks for the role of ECS only with Fargate: %s', (hasEcsRole, status, advice) => {
    const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
    const requirement = 'Service-linked role of ECS, for Fargate tasks';
    expect(check({ fargate }, { hasEcsRole }).at(-1)).toContain(`${status} ${requirement} (${advice}`);
    expect(check({}, { hasEcsRole }).join()).not.toContain(requirement);
  });

  it('requires the bootstrap version that the stacks require', () => {
    const apps: App[] = [];
    synthesizedStage({ prepare: (app) => apps.push(app) });
    const versions = apps[0]?.synth().stacks.map(({ requiresBootstrapStackVersion }) => requiresBootstrapStackVersion);
    expect(versions).toEqual([minBootstrapVersion, minBootstrapVersion]);
  });
});

describe('the readers', () => {
  it.each([
    ['docker', 'x86_64', 'x86_64'],
    ['podman', 'arm64', 'arm64'],
    ['docker', 'aarch64', 'arm64'],
    ['docker', '', undefined],
  ])('read the architecture of %s: %s', async (name, answer, expected) => {
    const folder = await aTemporaryFolder();
    const field = name === 'podman' ? '{{.Host.Arch}}' : '{{.Architecture}}';
    const program = path.join(folder, name);
    await writeFile(program, `#!/bin/sh\n[ "$*" = "info --format ${field}" ] && echo "${answer}"\n`);
    await chmod(program, 0o755);
    expect(await readEngineArchitecture(program)).toBe(expected);
    expect(await readEngineArchitecture(path.join(folder, 'none'))).toBeUndefined();
  });

  it('read the account of the credentials', async () => {
    const sts = mockClient(STSClient);
    onTestFinished(() => sts.restore());
    sts.on(GetCallerIdentityCommand).resolves({ Account: '210987654321' });
    expect(await readAccount('eu-central-1')).toBe('210987654321');
  });

  it('read the version of the bootstrap, or that there is none', async () => {
    const ssm = new SSMClient({ region: 'eu-central-1' });
    mockClient(ssm)
      .on(GetParameterCommand, { Name: '/cdk-bootstrap/hnb659fds/version' })
      .resolvesOnce({ Parameter: { Value: '27' } })
      .rejects(new ParameterNotFound({ message: 'not found', $metadata: {} }));
    expect(await readBootstrapVersion(ssm)).toBe(27);
    expect(await readBootstrapVersion(ssm)).toBeUndefined();
  });

  it.each([
    [200, true],
    [404, false],
    [403, undefined],
  ])('ask IAM for the role of ECS by a signed request: %s', async (status, expected) => {
    const sent: [unknown, RequestInit?][] = [];
    const send: typeof fetch = async (...request) => {
      sent.push(request);
      return new Response('', { status });
    };
    const credentials = async () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' });
    expect(await readEcsRole(credentials, send)).toBe(expected);
    const [[url, init] = []] = sent;
    expect(url).toBe('https://iam.amazonaws.com/?Action=GetRole&RoleName=AWSServiceRoleForECS&Version=2010-05-08');
    expect(new Headers(init?.headers).get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/iam\/aws4_request, SignedHeaders=host;/,
    );
  });

  it('take a network failure for an answer that is not known', async () => {
    const credentials = async () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' });
    expect(await readEcsRole(credentials, () => Promise.reject(new TypeError('fetch failed')))).toBeUndefined();
  });

  it('resolve the region by CDK, which also reads AWS_DEFAULT_REGION', { timeout: 180_000 }, async () => {
    const nowhere = { PATH: process.env.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' };
    expect(await readCdkRegion({ ...nowhere, AWS_DEFAULT_REGION: 'eu-west-3' })).toBe('eu-west-3');
  });
});
