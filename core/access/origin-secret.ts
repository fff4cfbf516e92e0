import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * CloudFront adds this header to its requests to the API, in place of one that a caller sends. It has up to three secrets,
 * separated by commas.
 */
export const originSecretHeader = 'x-origin-secret';

const maxSecrets = 3;

/** Whether a request has the secret among those of its header. */
export function hasOriginSecret(headers: Record<string, string | undefined>, secret: string): boolean {
  if (secret === '') return false;
  const accepted = digest(secret);
  const sent = (headers[originSecretHeader] ?? '').split(',', maxSecrets);
  return sent.some((candidate) => timingSafeEqual(digest(candidate), accepted));
}

/** Digests have equal lengths, which timingSafeEqual requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
