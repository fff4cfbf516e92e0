import { stripVTControlCharacters } from 'node:util';
import { directionCharacters, replaceUnsafeCharacters } from '../formatting/unsafe-characters.ts';

/** C0 and C1 control characters, and those that change the direction of text. */
const escapedCharacters = new RegExp(String.raw`[\p{Cc}${directionCharacters}]`, 'gu');

/** Makes untrusted text, such as a file name, one line without terminal control characters. */
export function sanitizeLine(text: string): string {
  return replaceUnsafeCharacters(stripVTControlCharacters(text).replaceAll(/\s+/g, ' '), '').trim();
}

/** The same for text of several lines. A carriage return becomes a line break. */
export function sanitizeText(text: string): string {
  return stripVTControlCharacters(text)
    .split(/\r\n|\r|\n/)
    .map((line) => replaceUnsafeCharacters(line.replaceAll('\t', '  '), ''))
    .join('\n');
}

/** JSON with terminal control characters escaped as `\uXXXX`, so that no information is lost. */
export function formatJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, replacer, 2).replaceAll(escapedCharacters, (character) =>
    character === '\n' ? character : escaped(character),
  );
}

/** Removes the given secrets, and user info and query of every URL: a query may carry a signature. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const withoutCredentials = secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return withoutCredentials.replaceAll(
    /(\b[a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#"'<>]*@)?([^\s?#"'<>]*)(\?[^\s#"'<>]+)?/gi,
    (_, scheme: string, hostAndPath: string, query?: string) =>
      scheme + hostAndPath + (query === undefined ? '' : '?…'),
  );
}

/** A table under its titles; without rows what it says then. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  return rows.length === 0 ? none : columns([titles, ...rows]);
}

/**
 * Aligns rows in columns with two spaces between them. A cell is one line, whatever untrusted text it has: else a value of
 * metadata could pass for further rows.
 *
 * @param minWidths minimum widths by column; the last column of a row is never padded
 */
export function columns(texts: readonly (readonly string[])[], minWidths: readonly number[] = []): string {
  const rows = texts.map((row) => row.map((cell) => `${/^ */.exec(cell)?.[0]}${sanitizeLine(cell)}`));
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(minWidths[column] ?? 0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0))).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
