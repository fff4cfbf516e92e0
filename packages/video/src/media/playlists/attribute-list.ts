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
