/** Where media comes from: a file of this computer, or a URL as it was typed. */
export type Source = File | string;

/** Whether there is anything in it yet. */
export function isSourceSet(source: Source): boolean {
  return source instanceof File || source.trim() !== '';
}

/** A URL that stands for a source before its file has been uploaded. */
export function displayUrl(source: Source): string {
  if (source instanceof File) return `upload://…/${encodeURIComponent(source.name)}`;
  return source.trim() === '' ? 'https://…' : source.trim();
}
