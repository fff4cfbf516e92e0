import type { AwsCredentialIdentity, RequestSigner } from '@smithy/types';
import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import type { TrustedStage } from '../../core/storage/external-id.ts';
import type { ObjectStore } from '../../core/storage/object-store.ts';
import type { StorageProvider } from '../../core/storage/provider.ts';
import { sessionPolicyText } from '../../core/storage/session-policy.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { providerClient } from '../storage/provider-client.ts';
import { assumeRole } from '../sts/assume-role.ts';
import { dynamo } from './clients/dynamo.ts';
import { sts } from './clients/sts.ts';
import { readEnv } from './env.ts';
import { providerSecrets } from './stage-ciphers.ts';
import { urlRules } from './url-rules.ts';

/** A bucket of an owner. `uploads`: how a worker without credentials of it begins uploads. */
export type OpenedBucket = BucketAccess & { uploads?: Pick<ObjectStore, 'prepare' | 'begin'> };

/** Opens a provider that was read; `find` reads it again. */
export type OpenClient = (provider: StorageProvider, find: () => Promise<StorageProvider>) => OpenedBucket;

/** Creates the client of a provider, which signs with these credentials, or with this signer. */
export function providerClients(): (
  provider: StorageProvider,
  credentials: () => Promise<AwsCredentialIdentity>,
  signer?: RequestSigner,
) => BucketAccess {
  const { AWS_ENDPOINT_URL_S3: awsEndpoint } = readEnv(z.object({ AWS_ENDPOINT_URL_S3: z.url().optional() }));
  const { reachable } = urlRules().webhook;
  return (provider, credentials, signer) => providerClient(provider, { credentials, signer, reachable, awsEndpoint });
}

/** `signIn` returns the credentials of a provider: its decrypted keys, or those of its role, which it requests from AWS. */
type ProviderAccess = { signIn: () => Promise<AwsCredentialIdentity> };

const trustEnv = z.object({
  STAGE: z.string(),
  TRUSTED_STAGE: jsonText(z.strictObject({ accountId: z.string(), partition: z.string(), namePrefix: z.string() })),
});

export function readTrustedStage(): { stage: string; trustedStage: TrustedStage } {
  const { STAGE: stage, TRUSTED_STAGE: trustedStage } = readEnv(trustEnv);
  return { stage, trustedStage };
}

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

/** The SDK renews credentials five minutes before they expire: these are read again after a minute. */
const credentialLifetimeMs = 6 * 60_000;

/** Opens providers with the credentials of this function. They are read again each minute, so that it uses a rotated secret. */
export function ownClients(): OpenClient {
  const accessOf = providerAccess();
  const clientOf = providerClients();
  return (provider, find) => {
    let first: StorageProvider | undefined = provider;
    return clientOf(provider, async () => {
      const current = first ?? (await find());
      first = undefined;
      const { signIn } = await accessOf(current);
      return { ...(await signIn()), expiration: new Date(Date.now() + credentialLifetimeMs) };
    });
  };
}
