import type { StatedEncryption } from '../encryption/stream-encryption.ts';
import { type Attributes, attributeList } from './attribute-list.ts';

/** The tag that tells players how segments are encrypted (RFC 8216, sections 4.3.2.4 and 4.3.4.5); none for clear ones. */
export function keyTags(
  tag: 'EXT-X-KEY' | 'EXT-X-SESSION-KEY',
  encryption: StatedEncryption | undefined,
): string[] {
  if (encryption === undefined) return [];
  const { iv, keyUri } = encryption;
  const attributes = attributeList({
    METHOD: encryption.scheme === 'cbcs' ? 'SAMPLE-AES' : 'AES-128',
    URI: { quoted: keyUri },
    IV: iv === undefined ? undefined : `0x${iv}`,
    ...keyFormat(encryption),
  });
  return [`#${tag}:${attributes}`];
}

/** `identity` is a key of 16 bytes. It is the default, but players of several systems choose by it. */
function keyFormat({ scheme }: StatedEncryption): Attributes {
  if (scheme === 'aes-128') return {};
  return { KEYFORMAT: { quoted: 'identity' }, KEYFORMATVERSIONS: { quoted: '1' } };
}
