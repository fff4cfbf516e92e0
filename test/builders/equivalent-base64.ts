/** The texts that decode to the same bytes as a base64url text: its last character has bits that decoding ignores. */
export function equivalentBase64(text: string): string[] {
  const bytes = Buffer.from(text, 'base64url');
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  return alphabet
    .map((last) => text.slice(0, -1) + last)
    .filter((other) => other !== text && bytes.equals(Buffer.from(other, 'base64url')));
}
