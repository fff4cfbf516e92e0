import type { AwsCredentialIdentity } from '@smithy/types';
import type { StorageProvider } from '../../core/storage/provider.ts';
import { sessionPolicyText } from '../../core/storage/session-policy.ts';
import { assumeRole } from '../sts/assume-role.ts';
import { dynamo } from './clients/dynamo.ts';
import { sts } from './clients/sts.ts';
import { type OpenClient, providerClients } from './provider-clients.ts';
import { providerSecrets } from './stage-ciphers.ts';
import { readTrustedStage } from './trusted-stage.ts';

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
