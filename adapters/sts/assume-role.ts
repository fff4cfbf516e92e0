import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import type { AwsCredentialIdentity } from '@smithy/types';

export type AssumeRoleRequest = { roleArn: string; externalId: string; policy: string };

/** AWS shows the name in the log of the role's account. */
const sessionName = 'media-jobs';

/** AWS did not let the service assume a role. `status` is undefined if it did not answer. */
export class AssumeRoleError extends Error {
  override readonly name = 'AssumeRoleError';
  readonly code: string;
  readonly status: number | undefined;

  constructor(cause: Error & { $metadata?: { httpStatusCode?: number } }) {
    super(`STS answered ${cause.name}`);
    this.code = cause.name;
    this.status = cause.$metadata?.httpStatusCode;
  }
}

/**
 * Assumes a role for an hour, under an external id and a session policy.
 *
 * @throws AssumeRoleError
 */
export async function assumeRole(
  client: STSClient,
  { roleArn, externalId, policy }: AssumeRoleRequest,
): Promise<AwsCredentialIdentity> {
  const command = new AssumeRoleCommand({
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    ExternalId: externalId,
    Policy: policy,
    DurationSeconds: 3600,
  });
  const { Credentials } = await client.send(command).catch((error: Error) => {
    throw new AssumeRoleError(error);
  });
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
  if (AccessKeyId === undefined || SecretAccessKey === undefined) {
    throw new Error('STS answered without credentials');
  }
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    expiration: Expiration,
  };
}
