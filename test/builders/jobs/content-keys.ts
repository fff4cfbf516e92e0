import type { ContentKeyCipher } from '../../../core/jobs/ports.ts';

/** Reverses a key, so that it is not found in clear, and names its reference. It opens for that only, as in KMS. */
export const someContentKeys: ContentKeyCipher = {
  encrypt: async (key, { ownerId, jobId }) => `${[...key].reverse().join('')}@${ownerId}/${jobId}`,
  decrypt: async (encrypted, { ownerId, jobId }) => {
    const [reversed = '', ref] = encrypted.split('@');
    if (ref !== `${ownerId}/${jobId}`) throw new Error('InvalidCiphertextException');
    return [...reversed].reverse().join('');
  },
};
