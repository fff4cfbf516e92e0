import { stripVTControlCharacters } from 'node:util';

// C0 and C1 control characters; marks that turn the direction of text around, so that a name reads as another.
const control = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line of a text by strangers, such as a file's name, without anything that a terminal would obey. */
export function sanitizeLine(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\s+/g, ' ').replaceAll(control, '').trim();
}

/** The same for a text of many lines, which keeps them; what rewrites its line becomes lines of its own. */
export function sanitizeText(text: string): string {
  return stripVTControlCharacters(text)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll('\t', '  ').replaceAll(control, ''))
    .join('\n');
}

/** A value as JSON; what a terminal would obey is written as `\uXXXX`, so that nothing is lost. */
export function formatJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replaceAll(control, (one) => (one === '\n' ? one : escaped(one)));
}
