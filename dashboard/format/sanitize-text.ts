/** Control characters except tab and line breaks, and Unicode marks that override the text direction. */
const unsafeCharacters = /[\u202a-\u202e\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;

/** Replaces control and direction characters of untrusted text with U+FFFD. */
export function sanitizeText(text: string): string {
  return text.replaceAll(unsafeCharacters, '\ufffd');
}
