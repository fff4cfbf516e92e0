import { AssumeRoleCommand, type Credentials, type STSClient } from '@aws-sdk/client-sts';
import type { AwsCredentialIdentity } from '@smithy/types';

/** AWS shows the name in the log of the role's account. */
const sessionName = 'media-jobs';

/** AWS did not let the service assume a role. `status` is undefined if it did not answer. */
export class AssumeRoleError extends Error {
  override readonly name = 'AssumeRoleError';
  readonly code: string;
  readonly status: number | undefined;
  /** The region of this service, if the role's account has not enabled it: in us-east-1 the role can be assumed. */
  readonly disabledRegion: string | undefined;

  constructor(cause: Error & { $metadata?: { httpStatusCode?: number } }, disabledRegion?: string) {
    super(`STS answered ${cause.name}`);
    this.disabledRegion = disabledRegion;
    this.code = cause.name;
    this.status = cause.$metadata?.httpStatusCode;
  }
}

/** What STS answers in a region that the account of the caller or of the role has not enabled. */
const unknownInRegion: ReadonlySet<string> = new Set(['InvalidClientTokenId', 'RegionDisabledException']);

/**
 * Assumes a role for an hour, under an external id and a session policy.
 *
 * @param everywhere a client of us-east-1, a region that no account can disable
 * @throws AssumeRoleError
 */
export async function assumeRole(
  { here, everywhere }: Record<'here' | 'everywhere', STSClient>,
  { roleArn, externalId, policy }: { roleArn: string; externalId: string; policy: string },
): Promise<AwsCredentialIdentity> {
  const command = new AssumeRoleCommand({
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    ExternalId: externalId,
    Policy: policy,
    DurationSeconds: 3600,
  });
  const { Credentials } = await here.send(command).catch(async (error: Error) => {
    if (!unknownInRegion.has(error.name)) throw new AssumeRoleError(error);
    const isAssumed = await everywhere.send(command).then(
      () => true,
      () => false,
    );
    throw new AssumeRoleError(error, isAssumed ? await here.config.region() : undefined);
  });
  return { ...identityOf(Credentials), expiration: Credentials?.Expiration };
}

/** Assumes the role of the workers for an hour, with tags that restrict it to one owner and one job. */
export async function assumeJobRole(
  client: STSClient,
  roleArn: string,
  {
    ownerId,
    jobId,
    retriedJobId = jobId,
    keyJobId = jobId,
  }: { ownerId: string; jobId: string; retriedJobId: string | undefined; keyJobId: string | undefined },
): Promise<AwsCredentialIdentity> {
  const Tags = [
    { Key: 'owner', Value: ownerId },
    { Key: 'job', Value: jobId },
    { Key: 'retried', Value: retriedJobId },
    { Key: 'key', Value: keyJobId },
  ];
  const command = new AssumeRoleCommand({ RoleArn: roleArn, RoleSessionName: jobId, Tags, DurationSeconds: 3600 });
  const { Credentials } = await client.send(command);
  return { ...identityOf(Credentials), expiration: Credentials?.Expiration };
}

function identityOf(credentials: Credentials | undefined): AwsCredentialIdentity {
  const { AccessKeyId, SecretAccessKey, SessionToken } = credentials ?? {};
  if (AccessKeyId === undefined || SecretAccessKey === undefined) throw new Error('STS answered without credentials');
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
}
