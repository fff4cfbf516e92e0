import * as z from 'zod';
import type { ContentKeyCipher } from '../../core/jobs/ports.ts';
import type { ProviderSecretCipher } from '../../core/storage/provider.ts';
import { secretCipher } from '../kms/secret-cipher.ts';
import { kms } from './clients/kms.ts';
import { readEnv } from './env.ts';

export function providerSecrets(): ProviderSecretCipher {
  return secretCipher(kms, readKeyId(), ['ownerId', 'storageProviderId']);
}

export function contentKeys(): ContentKeyCipher {
  return secretCipher(kms, readKeyId(), ['ownerId', 'jobId']);
}

function readKeyId(): string {
  return readEnv(z.object({ SECRETS_KEY_ID: z.string() })).SECRETS_KEY_ID;
}
