/**
 * Whether two ISO 639 codes mean the same language: files carry `deu` or `ger`, and people write `de`.
 * Both are two or three small letters.
 */
export function isSameLanguage(left: string, right: string): boolean {
  return canonical(left) === canonical(right);
}

function canonical(code: string): string {
  return new Intl.Locale(code).language;
}
