import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { root } from '../../build/paths.ts';
import type { Architecture } from './check-environment.ts';

const run = promisify(execFile);

type Output = { stdout: string; stderr: string };

/**
 * Reads the default region of the CDK command line, which has more sources than the AWS SDK.
 *
 * @throws Error with the output of CDK
 */
export async function readCdkRegion(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  // Without a cdk.json, so that CDK runs this app only. CDK does not pass quotes on.
  const cwd = await mkdtemp(path.join(tmpdir(), 'media-jobs-region-'));
  const cdk = path.join(root, 'node_modules/aws-cdk/bin/cdk');
  try {
    await writeFile(path.join(cwd, 'app.cjs'), 'console.log("cdk-region=" + process.env.CDK_DEFAULT_REGION);');
    const PATH = [path.dirname(process.execPath), env.PATH].join(path.delimiter);
    const options = { cwd, env: { ...env, PATH } };
    // It fails, since the app writes no assembly.
    const { stdout, stderr }: Output = await run(process.execPath, [cdk, 'ls', '--app', 'node app.cjs'], options).catch(
      (error) => error,
    );
    const [, region] = /cdk-region=([a-z]+-[a-z-]+-\d)/.exec(`${stdout}${stderr}`) ?? [];
    if (region === undefined) throw new Error(`CDK printed no region: ${stderr}`);
    return region;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/**
 * The account of the credentials. No policy can deny this call. A region that the account has not enabled rejects all
 * credentials as unknown: us-east-1, which is always enabled, tells which of the two it is.
 *
 * @throws Error that names the region if it is not enabled; otherwise that of the AWS SDK
 */
export async function readAccount(region: string): Promise<string | undefined> {
  const accountIn = async (asked: string) =>
    (await new STSClient({ region: asked }).send(new GetCallerIdentityCommand({}))).Account;
  return accountIn(region).catch(async (error: Error) => {
    if (error.name !== 'InvalidClientTokenId') throw error;
    const account = await accountIn('us-east-1').catch(() => undefined);
    if (account === undefined) throw error;
    const command = `aws account enable-region --region us-east-1 --region-name ${region}`;
    throw new Error(
      `The account ${account} has not enabled ${region}: run "${command}" and wait some minutes, or choose another region.`,
      { cause: error },
    );
  });
}

/** The region that the AWS SDK resolves; undefined if it finds none. */
export async function readSdkRegion({ config }: LambdaClient): Promise<string | undefined> {
  return config.region().catch(() => undefined);
}

const architectures: Readonly<Record<string, Architecture>> = {
  amd64: 'x86_64',
  x86_64: 'x86_64',
  arm64: 'arm64',
  aarch64: 'arm64',
};

/** The architecture that a container engine builds for; undefined if it does not answer. */
export async function readEngineArchitecture(program: string): Promise<Architecture | undefined> {
  const field = path.basename(program).startsWith('podman') ? '{{.Host.Arch}}' : '{{.Architecture}}';
  const { stdout }: Output = await run(program, ['info', '--format', field]).catch(() => ({
    stdout: '',
    stderr: '',
  }));
  return architectures[stdout.trim()];
}

export async function readBootstrapVersions(regions: readonly string[]): Promise<Record<string, number | undefined>> {
  const versions = regions.map(
    async (region) => [region, await readBootstrapVersion(new SSMClient({ region }))] as const,
  );
  return Object.fromEntries(await Promise.all(versions));
}

/** Version of the CDK bootstrap in the region of the client; undefined if the region has none. */
export async function readBootstrapVersion(ssm: SSMClient): Promise<number | undefined> {
  try {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: '/cdk-bootstrap/hnb659fds/version' }));
    return Number(Parameter?.Value);
  } catch (error) {
    if (error instanceof ParameterNotFound) return undefined;
    throw error;
  }
}
