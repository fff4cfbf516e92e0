import { KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod';
import type { ContentKeyCipher } from '../../core/jobs/ports.ts';
import type { ProviderSecretCipher } from '../../core/storage/provider.ts';
import { secretCipher } from '../kms/secret-cipher.ts';
import { clientSettings, ofJob } from './clients/client-settings.ts';
import { readEnv } from './env.ts';

let client: KMSClient | undefined;

/** The KMS client of a function, made at its first use: most requests have no secret. */
function kms(): KMSClient {
  client ??= new KMSClient({ ...clientSettings, ...ofJob });
  return client;
}

export function providerSecrets(): ProviderSecretCipher {
  return secretCipher(kms, readKeyId(), ['ownerId', 'storageProviderId']);
}

export function contentKeys(): ContentKeyCipher {
  return secretCipher(kms, readKeyId(), ['ownerId', 'jobId']);
}

function readKeyId(): string {
  return readEnv(z.object({ SECRETS_KEY_ID: z.string() })).SECRETS_KEY_ID;
}
