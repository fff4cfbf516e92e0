import * as z from 'zod';
import { secretCipher } from '../../adapters/kms/secret-cipher.ts';
import type { SecretCipher } from '../../core/storage/ports.ts';
import { kms } from './clients/kms.ts';
import { readEnv } from './env.ts';

/** The cipher of this stage's KMS key. */
export function stageCipher(): SecretCipher {
  const { SECRETS_KEY_ID } = readEnv(z.object({ SECRETS_KEY_ID: z.string() }));
  return secretCipher(kms, SECRETS_KEY_ID);
}
