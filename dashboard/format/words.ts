/** `INPUT_NOT_MEDIA` or `extract-audio` as words: `Input not media`, `Extract audio`. */
export function labelFromCode(code: string): string {
  const words = code.toLowerCase().replaceAll(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
