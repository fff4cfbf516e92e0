import { createHash, timingSafeEqual } from 'node:crypto';

/** CloudFront adds this header to its requests to the API, in place of one that a caller sends. */
export const originSecretHeader = 'x-origin-secret';

/** Whether a request has one of the accepted secrets. */
export function hasOriginSecret(
  headers: Record<string, string | undefined>,
  accepted: readonly string[],
): boolean {
  const sent = digest(headers[originSecretHeader] ?? '');
  return accepted.some((secret) => secret !== '' && timingSafeEqual(digest(secret), sent));
}

/** Digests have equal lengths, which timingSafeEqual requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
