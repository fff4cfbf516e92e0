import { directionMarks } from '../../formatting/unsafe-characters.ts';

/** Control characters except tab and line breaks, and marks of direction. */
const unsafeCharacters = new RegExp(String.raw`[${directionMarks}]|(?![\t\n\r])\p{Cc}`, 'gu');

/** Replaces control characters and marks of direction in untrusted text by U+FFFD. */
export function markUnsafeCharacters(text: string): string {
  return text.replaceAll(unsafeCharacters, '\ufffd');
}
