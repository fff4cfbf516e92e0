/** An input: a file to upload, or a URL as typed. */
export type Source = File | string;

export function isSourceSet(source: Source): boolean {
  return source instanceof File || source.trim() !== '';
}

/** The URL of a source in the request preview; a placeholder for a file that is not uploaded yet. */
export function displayUrl(source: Source): string {
  if (source instanceof File) return `upload://…/${encodeURIComponent(source.name)}`;
  return source.trim() === '' ? 'https://…' : source.trim();
}
