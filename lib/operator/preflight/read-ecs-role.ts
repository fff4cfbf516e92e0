import { Hash } from '@smithy/hash-node';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, Provider } from '@smithy/types';

/** ECS needs this role for the network interfaces of tasks. It is made at the first use of ECS in an account. */
export const ecsRoleName = 'AWSServiceRoleForECS';

const host = 'iam.amazonaws.com';
const timeoutMs = 10_000;

/**
 * Whether the account has the service-linked role of ECS; undefined if IAM does not tell, as without the permission
 * `iam:GetRole`. The request is signed here: the SDK's client of IAM would be a dependency for one call.
 */
export async function readEcsRole(
  credentials: Provider<AwsCredentialIdentity>,
  send: typeof fetch = fetch,
): Promise<boolean | undefined> {
  const query = { Action: 'GetRole', RoleName: ecsRoleName, Version: '2010-05-08' };
  // IAM has one endpoint for all regions, and requests to it are signed for us-east-1.
  const sha256 = Hash.bind(null, 'sha256');
  const signer = new SignatureV4({ credentials, region: 'us-east-1', service: 'iam', sha256 });
  const request = new HttpRequest({ hostname: host, path: '/', query, headers: { host } });
  const { headers } = await signer.sign(request);
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await send(`https://${host}/?${new URLSearchParams(query)}`, { headers, signal }).catch(
    () => undefined,
  );
  if (response?.status === 404) return false;
  return response?.ok ? true : undefined;
}
