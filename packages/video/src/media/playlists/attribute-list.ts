import type { StreamEncryption } from '../encryption/stream-encryption.ts';

/** A value in quotes, or one that stands bare. Undefined: the attribute is left out. */
export type Attributes = Record<string, { quoted: string } | string | number | undefined>;

/** The attributes of a tag (RFC 8216, section 4.2). */
export function attributeList(attributes: Attributes): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => {
      if (value === undefined) return [];
      return typeof value === 'object' ? `${name}="${value.quoted}"` : `${name}=${value}`;
    })
    .join(',');
}

/** The tag that tells players how segments are encrypted (RFC 8216, sections 4.3.2.4 and 4.3.4.5); none for clear ones. */
export function keyTags(tag: 'EXT-X-KEY' | 'EXT-X-SESSION-KEY', encryption: StreamEncryption | undefined): string[] {
  if (encryption === undefined) return [];
  const { iv, keyUri } = encryption;
  const attributes = attributeList({
    METHOD: 'AES-128',
    URI: { quoted: keyUri },
    IV: iv === undefined ? undefined : `0x${iv}`,
  });
  return [`#${tag}:${attributes}`];
}
