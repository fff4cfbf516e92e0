import type { AwsCredentialIdentity } from '@smithy/types';
import * as z from 'zod';
import type { StorageProvider } from '../../core/storage/provider.ts';
import { sessionPolicyText } from '../../core/storage/session-policy.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { providerClient } from '../storage/provider-client.ts';
import { assumeRole } from '../sts/assume-role.ts';
import { dynamo } from './clients/dynamo.ts';
import { sts } from './clients/sts.ts';
import { readEnv } from './env.ts';
import { providerSecrets } from './stage-ciphers.ts';
import { readTrustedStage } from './trusted-stage.ts';
import { urlRules } from './url-rules.ts';

/** `signIn` returns the credentials of a provider: its decrypted keys, or those of its role, which it requests from AWS. */
type ProviderAccess = { signIn: () => Promise<AwsCredentialIdentity> };

/** Opens the access of a provider. An error of this step is the service's; if `signIn` fails, the provider's owner has to act. */
export function providerAccess(): (provider: StorageProvider) => Promise<ProviderAccess> {
  const cipher = providerSecrets();
  const { partition } = readTrustedStage().trustedStage;
  return async (provider) => {
    const { access } = provider;
    // Read again at each use: the credentials of a function change while it lives.
    if (access.type === 'stage') return { signIn: () => dynamo.config.credentials() };
    if (access.type === 'role') {
      const policy = sessionPolicyText(provider, partition);
      return { signIn: () => assumeRole(sts, { ...access, policy }) };
    }
    const credentials = {
      accessKeyId: access.accessKeyId,
      secretAccessKey: await cipher.decrypt(access.encryptedSecret, provider),
    };
    return { signIn: async () => credentials };
  };
}

export function providerClients(): (
  provider: StorageProvider,
  credentials: () => Promise<AwsCredentialIdentity>,
) => BucketAccess {
  const { AWS_ENDPOINT_URL_S3: awsEndpoint } = readEnv(z.object({ AWS_ENDPOINT_URL_S3: z.url().optional() }));
  const { reachable } = urlRules().webhook;
  return (provider, credentials) => providerClient(provider, { credentials, reachable, awsEndpoint });
}
