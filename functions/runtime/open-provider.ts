import type { AwsCredentialIdentity } from '@smithy/types';
import * as z from 'zod';
import type { BucketAccess } from '../../adapters/s3/read-object.ts';
import { providerClient } from '../../adapters/storage/provider-client.ts';
import { assumeRole } from '../../adapters/sts/assume-role.ts';
import type { StorageProvider } from '../../core/storage/provider.ts';
import { sessionPolicy } from '../../core/storage/session-policy.ts';
import { sts } from './clients/sts.ts';
import { readEnv } from './env.ts';
import { providerSecrets } from './stage-ciphers.ts';
import { readTrustedStage } from './trusted-stage.ts';
import { urlRules } from './url-rules.ts';

/** The credentials of a provider: `secret` is decrypted by the stage's key, `assume` requests those of a role from AWS. */
type ProviderAccess = { signIn: () => Promise<AwsCredentialIdentity> };

/** Decrypts the secret of a provider. If `signIn` fails, its owner has to act; an error of this function is the service's. */
export function providerAccess(): (provider: StorageProvider) => Promise<ProviderAccess> {
  const cipher = providerSecrets();
  const { partition } = readTrustedStage().trustedStage;
  return async (provider) => {
    const { access } = provider;
    if (access.type === 'role') {
      const policy = sessionPolicy(provider, partition);
      return { signIn: () => assumeRole(sts, { ...access, policy }) };
    }
    const credentials = {
      accessKeyId: access.accessKeyId,
      secretAccessKey: await cipher.decrypt(access.encryptedSecret, provider),
    };
    return { signIn: async () => credentials };
  };
}

/** Creates the client of a provider, which signs with these credentials. */
export function providerClients(): (
  provider: StorageProvider,
  credentials: () => Promise<AwsCredentialIdentity>,
) => BucketAccess {
  const { AWS_ENDPOINT_URL_S3: awsEndpoint } = readEnv(z.object({ AWS_ENDPOINT_URL_S3: z.url().optional() }));
  const { reachable } = urlRules().webhook;
  return (provider, credentials) => providerClient(provider, { credentials, reachable, awsEndpoint });
}
